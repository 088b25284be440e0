"""Calls of which nothing is known, and what they give."""

from __future__ import annotations

from typing import Any

from autodiff.analysis.kind import Drawing, Kind, Scalar, Text
from autodiff.core.operation import Apply, Operation
from autodiff.core.value import Value
from autodiff.primitives.primitive import Primitive

OPAQUE = Drawing((object,))
"""The kind of what such a call gives: it carries no derivative, and is asked by further calls."""
CALL = Primitive(None, "opaque", memory="unknown", pure=False, raises=True)
"""Such a call: it comes once, in its place, and may read, change and give all that it can reach."""
ASKED = Primitive(None, "opaque", memory="new", pure=False, raises=True)
"""Such a call that gives a number, a text or new memory."""

CONVERTING: dict[Any, Kind] = {cls: Scalar(cls.__name__) for cls in (bool, int, float, complex)}
CONVERTING |= {
    len: Scalar("int"),
    hash: Scalar("int"),
    id: Scalar("int"),
    str: Text(),
    repr: Text(),
}
"""What gives a number or a text whatever it is given."""
REFORMING = frozenset(("resize", "__setstate__", "setfield", "setflags"))
"""Methods of arrays that change what is known of them while compiling."""


def is_opaque(entry: Any) -> bool:
    """Whether of a value is known nothing but that it carries no derivative."""
    return isinstance(entry, Value) and entry.kind == OPAQUE


def is_world(op: Operation) -> bool:
    """Whether an operation may read and change what is outside."""
    return isinstance(op, Apply) and bool(op.outside)

"""Operators on objects: the methods that their classes give them."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from autodiff.analysis.classes import class_attribute
from autodiff.analysis.kind import Record
from autodiff.analysis.objects import Parts
from autodiff.analysis.operation import BINARY, UNARY
from autodiff.errors import UnsupportedSyntaxError
from autodiff.normalize.sites import Site
from autodiff.syntax.names import reads
from autodiff.syntax.origin import origin_of, place
from autodiff.syntax.walk import walk

if TYPE_CHECKING:
    from autodiff.analysis.callees import Resolver

_JOINED = {
    type(np.r_): ("r_", "np.concatenate([a, b])"),
    type(np.c_): ("c_", "np.column_stack([a, b])"),
}
"""The classes of what joins arrays by its index, and what to write instead."""


def operator_site(resolver: Resolver, statement: gast.stmt, value: Any) -> Site | None:
    """`u + v`, `-u` and `u[i]` of objects whose class says what they mean."""
    if isinstance(value, gast.BinOp):
        word = BINARY[type(value.op)].__name__.strip("_")
        tries = [(value.left, value.right, word), (value.right, value.left, f"r{word}")]
    elif isinstance(value, gast.UnaryOp):
        tries = [(value.operand, None, UNARY[type(value.op)].__name__.strip("_"))]
    elif any(isinstance(part, gast.Slice) for part in walk(value.slice)):
        return None  # a slice is no expression of its own
    else:
        tries = [(value.value, value.slice, "getitem")]
    for base, other, word in tries:
        kind = resolver.kinds.of(base)
        if not isinstance(kind, (Record, Parts)) or kind.cls in (tuple, list, dict):
            continue
        if kind.cls in _JOINED and reads(value) & resolver.varied:
            written, instead = _JOINED[kind.cls]
            raise UnsupportedSyntaxError(
                f"`np.{written}[...]` of values that carry a derivative",
                place(value, origin_of(statement)),
                why="what it gives depends on texts, slices and numbers in its index",
                cure=f"write `{instead}`",
            )
        found = class_attribute(kind.cls, f"__{word}__")
        if isinstance(found, types.FunctionType):
            callee = resolver.callee(found, statement, value)
            resolver.assume(base)
            return Site(callee, (base,), () if other is None else (other,), ())
    return None

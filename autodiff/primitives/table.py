"""From a callable to its entry."""

from __future__ import annotations

import functools
import operator
from typing import Any

import numpy as np

from autodiff.primitives.memory import memory_of
from autodiff.primitives.primitive import Primitive
from autodiff.rules import registry
from autodiff.rules.home import module_of

_CHEAP = frozenset(
    (
        operator.add,
        operator.sub,
        operator.mul,
        operator.truediv,
        operator.neg,
        operator.pos,
        operator.floordiv,
    )
    + (
        operator.mod,
        operator.not_,
        operator.lt,
        operator.le,
        operator.gt,
        operator.ge,
        operator.eq,
        operator.ne,
    )
    + (
        operator.is_,
        operator.is_not,
        len,
        range,
        np.transpose,
        np.shape,
        np.ndim,
        np.size,
        reversed,
        min,
        max,
    )
)
"""Operations of a few nanoseconds, on numbers: they are computed again rather than kept."""

_CONVERTING = frozenset((int, float, bool, complex, operator.index, operator.getitem))
"""Builtins that raise an error for values that they do not take."""

SHAPES = frozenset(
    ("zeros_like", "full_like", "ones_like", "empty_like", "shape", "ndim", "size", "len")
)
"""Primitives that ask for the form of their first operand alone."""

SYNTAX = Primitive(None, "expression", memory="unknown")
"""An expression that stands as it is: it has no derivative."""
DISPLAY = Primitive(None, "display", memory="unknown", cheap=True)
"""A tuple, list or dict that is written out."""
LISTING = Primitive(None, "listing", memory="new")
"""A list that is memory: items may be put into it, and asked for at run time."""
CHOICE = Primitive(None, "choice", memory="unknown")
ITEM = Primitive(None, "item", memory="unknown", cheap=True)
"""A part of a container by a key that is known."""

BOUND = Primitive(None, "bound", memory="view", raises=True, cheap=True)
"""A variable that holds nothing on some paths, where it is read."""


def primitive_of(function: Any) -> Primitive:
    """The entry of a callable; what is not known does everything."""
    try:
        return _known(function)
    except TypeError:  # not hashable
        return Primitive(function, "call", memory="unknown", pure=False, raises=True)


@functools.lru_cache(maxsize=4096)
def _known(function: Any) -> Primitive:
    pure = registry.is_pure(function) or registry.is_vouched_for(function) or function in _PURE
    rule = registry.rule_for(function)
    name = getattr(function, "__name__", "value")
    raises = not pure or function in _CONVERTING or ".linalg" in module_of(function)
    elementwise = bool(rule is not None and rule.elementwise)
    return Primitive(
        function,
        name,
        memory_of(function) if pure else "unknown",
        pure,
        raises,
        function in _CHEAP,
        elementwise,
    )


_PURE = frozenset((len, range, reversed, isinstance, callable, hasattr, type, slice))

"""From a callable to its entry: `primitive_of` is the only door to what is known of a function."""

from __future__ import annotations

import functools
import operator
from typing import Any

import numpy as np

from autodiff import runtime
from autodiff.primitives.errors import errors_of
from autodiff.primitives.found import effects_of
from autodiff.primitives.memory import claim_of
from autodiff.primitives.primitive import ANYTHING, Primitive
from autodiff.rules import registry
from autodiff.rules.home import hashable, module_of

_CHEAP = frozenset(
    (
        *(operator.add, operator.sub, operator.mul, operator.truediv, operator.neg, operator.pos),
        *(operator.floordiv, operator.mod, operator.not_, operator.lt, operator.le, operator.gt),
        *(operator.ge, operator.eq, operator.ne, operator.is_, operator.is_not, len, range),
        *(np.transpose, np.shape, np.ndim, np.size, reversed, min, max),
    )
)
"""Operations of a few nanoseconds, on numbers: they are computed again rather than kept."""

_CONVERTING = frozenset((int, float, bool, complex, operator.index, operator.getitem))
"""Builtins that raise an error for values that they do not take."""

_FORMAL = frozenset(
    (
        *(np.zeros_like, runtime.zeros_like, runtime.zeros_alike, np.full_like, np.ones_like),
        *(np.empty_like, np.shape, np.ndim, np.size, len, np.iscomplexobj, np.isrealobj),
    )
)
"""Functions that ask for the form of their first operand alone."""

_PURE = frozenset(
    (
        *(len, range, reversed, isinstance, callable, hasattr, type, slice, np.may_share_memory),
        *(runtime.order_of, runtime.reordered, runtime.shadow_of),
    )
)
_LEAVING = frozenset((np.tril, np.triu))

SYNTAX = Primitive(None, "expression", memory="unknown")
"""An expression that stands as it is: it has no derivative."""
DISPLAY = Primitive(None, "display", memory="unknown", cheap=True, total=True)
"""A tuple, list or dict that is written out."""
LISTING = Primitive(None, "listing", memory="new", total=True)
"""A list that is memory: items may be put into it, and asked for at run time."""
LOOK = Primitive(None, "look", memory="new", total=True)
"""A question about what containers hold now, whose answer is a number, or several."""
KEYING = Primitive(None, "keys", memory="new", total=True)
"""The list of the keys that a dict has now."""
CHOICE = Primitive(None, "choice", memory="unknown")
CHOICE = Primitive(None, "choice", memory="new", cheap=True)
"""Which of several things something is, as a number."""
ITEM = Primitive(None, "item", memory="view", cheap=True, total=True)
"""A part of a container by a key that is known."""


def key_of(op: Any) -> Any:
    """The key by which an `ITEM` asks for its part."""
    return op.application.arguments[1].value


DRAW = Primitive(None, "draw", pure=False, raises=True)
"""What a random generator gives, or a generator: it comes once, in its place."""
BOUND = Primitive(None, "bound", memory="view", raises=True, cheap=True)
"""A variable that holds nothing on some paths, where it is read."""


def primitive_of(function: Any) -> Primitive:
    """The entry of a callable; what is not known does everything.

    >>> registry.load()
    >>> primitive_of(np.sin).memory, primitive_of(np.copyto).pure
    ('new', False)
    >>> primitive_of(eval).effects.unknown
    True
    """
    if not hashable(function):
        return Primitive(
            function, "call", memory="unknown", pure=False, raises=True, effects=ANYTHING
        )
    pure = registry.is_pure(function) or registry.is_vouched_for(function) or function in _PURE
    rule = registry.rule_for(function)
    return _known(function, pure, bool(rule is not None and rule.elementwise))


@functools.lru_cache(maxsize=4096)
def _known(function: Any, pure: bool, elementwise: bool) -> Primitive:
    effects = effects_of(function, pure)
    pure = pure and effects.none
    errors = errors_of(function, elementwise) if pure else None
    return Primitive(
        function,
        getattr(function, "__name__", "value"),
        claim_of(function).memory if pure else "unknown",
        pure,
        raises=not pure or function in _CONVERTING or ".linalg" in module_of(function),
        cheap=function in _CHEAP,
        elementwise=elementwise,
        effects=effects,
        total=errors in ("never", "numbers"),
        partial=errors == "numbers",
        shaped=errors == "shapes",
        leaves=function in _LEAVING,
        formal=function in _FORMAL,
        shares=claim_of(function).shares if pure else None,
    )

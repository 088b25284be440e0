"""Extrema that are subtracted before `exp` and added after `log`: nothing depends on them.

    top = np.max(a)
    y = top + np.log(np.sum(np.exp(a - top)))         the same for any other `top`

A value depends on an extremum m as `rest + degree * m`, or as `rest * exp(degree * m)`; of degree
zero it does not depend on it. What is done with it otherwise needs its derivative.
"""

from __future__ import annotations

import builtins
import math
import operator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from autodiff.core import Apply, Function, Load, Operation, Span, Value, View, Window, outputs
from autodiff.kinds.kind import Array, Scalar

_EXTREMA: frozenset[Any] = frozenset((np.max, np.min, builtins.max, builtins.min))
_EXPONENTIALS: frozenset[Any] = frozenset((np.exp, math.exp))
_LOGARITHMS: frozenset[Any] = frozenset((np.log, math.log))


@dataclass(frozen=True, slots=True)
class Shift:
    """axes: those along which the extremum varies, counted from the last, which is 1."""

    is_factor: bool
    degree: int
    axes: frozenset[int]


Shifts = dict[Value, Shift]
"""By extrema; those that a value does not depend on are left out."""


def shifts(function: Function) -> set[Value]:
    """The extrema that a function does not depend on."""
    held: dict[Value, Shifts] = {}
    found: set[Value] = set()
    needed: set[Value] = set()
    for block in function.body.blocks():
        for op in block.operations:
            operands = [value for value in op.operands if value in held]
            new = of(op, held) if operands else {}
            if new is None or any(value.block is not block for value in operands):
                needed.update(extremum for value in operands for extremum in held[value])
                new = {}
            if is_extremum(op):
                axes = varying(op.results[0])
                found.add(op.results[0])
                new = {**new, op.results[0]: Shift(False, 1, axes)}
            if new:
                held[op.results[0]] = new
        for value in block.results:
            needed.update(held.get(value, ()))
    for value in outputs(function):
        needed.update(held.get(value, ()))
    return found - needed


def is_extremum(op: Operation) -> bool:
    """Whether an operation gives the extremum of real numbers, in memory that nobody changes."""
    if not isinstance(op, Apply) or op.primitive.function not in _EXTREMA:
        return False
    python = op.primitive.function in (builtins.max, builtins.min)
    return is_still(op.result) and not (python and isinstance(op.result.kind, Array))


def is_still(value: Value) -> bool:
    """Whether a value is real numbers of known axes that do not change."""
    kind = value.kind
    if isinstance(kind, Array):
        is_real = kind.dtype is not None and kind.dtype.startswith("float")
    else:
        is_real = isinstance(kind, Scalar) and kind.type == "float"
    return is_real and not value.is_written


def varying(value: Value) -> frozenset[int]:
    """The axes of more than one place, counted from the last."""
    shape = value.kind.shape if isinstance(value.kind, Array) else ()
    return frozenset(len(shape) - k for k, size in enumerate(shape) if size != 1)


def of(op: Operation, held: dict[Value, Shifts]) -> Shifts | None:
    """How the result of an operation depends on extrema; None where that is not understood."""
    if len(op.results) != 1 or not is_still(op.results[0]):
        return None
    if isinstance(op, (Load, View)):
        own = held.get(op.base, {})
        return None if op.index else own if op.window is None else moved(own, op.base, op.window)
    if not isinstance(op, Apply):
        return None
    function = op.primitive.function
    if function in _COMBINED and len(op.operands) == 2:
        if not all(map(is_number, op.operands)) or op.application.keywords:
            return None
        left, right = (held.get(value, {}) for value in op.operands)
        return together(left, right, *_COMBINED[function])
    own = held.get(op.operands[0], {})
    if len(op.operands) > 1 or len(op.application.arguments) > 1:
        return None
    if function in (operator.neg, np.negative):
        return {m: s if s.is_factor else replace(s, degree=-s.degree) for m, s in own.items()}
    if function in _EXPONENTIALS | _LOGARITHMS and not op.application.keywords:
        inverse = function in _LOGARITHMS
        if any(s.is_factor != inverse for s in own.values()):
            return None
        return {m: replace(s, is_factor=not inverse) for m, s in own.items()}
    return summed(own, op) if function is np.sum else None


def is_number(value: Value) -> bool:
    """Whether a value is a real number, or several."""
    return isinstance(value.kind, Scalar) and value.kind.type != "complex" or is_still(value)


def summed(own: Shifts, op: Apply) -> Shifts | None:
    """A sum has the factor of its terms if that is the same for all."""
    given = {key: getattr(node, "value", node) for key, node in op.application.keywords}
    axis, keepdims = given.pop("axis", None), given.pop("keepdims", False)
    kind = op.operands[0].kind
    count = len(kind.shape) if isinstance(kind, Array) else 0
    if given or type(keepdims) is not bool or not (axis is None or type(axis) is int):
        return None
    gone = set(range(1, count + 1)) if axis is None or not count else {count - axis % count}
    if any(not s.is_factor or s.axes & gone for s in own.values()):
        return None
    if keepdims:
        return own
    return {
        m: replace(s, axes=frozenset(k - sum(j < k for j in gone) for k in s.axes))
        for m, s in own.items()
    }


def moved(own: Shifts, base: Value, window: Window) -> Shifts | None:
    """`x[:, None]` only moves axes."""
    whole = [part == Span(None, None, None) for part in window.parts]
    if not isinstance(base.kind, Array) or not all(
        is_all or part is None for is_all, part in zip(whole, window.parts)
    ):
        return None
    ends = len(base.kind.shape) - sum(whole)
    places = {k: k for k in range(1, ends + 1)}
    for place, is_all in enumerate(reversed(whole), ends + 1):
        if is_all:
            places[len(places) + 1] = place
    return {m: replace(s, axes=frozenset(places[k] for k in s.axes)) for m, s in own.items()}


def together(left: Shifts, right: Shifts, is_factor: bool, sign: int) -> Shifts | None:
    """How a sum, or a product, depends on extrema: degrees are added up. A factor of both terms of
    a sum stays one of it.
    """
    found: Shifts = {}
    for m in left.keys() | right.keys():
        a, b = left.get(m), right.get(m)
        if a is not None and b is not None and a.axes != b.axes:
            return None
        if any(each.is_factor != is_factor for each in (a, b) if each is not None):
            if is_factor or a != b:
                return None
            b = None
        if b is not None:
            a = replace(b, degree=(a.degree if a else 0) + sign * b.degree)
        assert a is not None
        if a.degree:
            found[m] = a
    return found


_COMBINED: dict[Any, tuple[bool, int]] = {
    **dict.fromkeys((operator.add, np.add), (False, 1)),
    **dict.fromkeys((operator.sub, np.subtract), (False, -1)),
    **dict.fromkeys((operator.mul, np.multiply), (True, 1)),
    **dict.fromkeys((operator.truediv, np.divide), (True, -1)),
}
"""Operators: whether they are about factors, and the sign of the second degree."""

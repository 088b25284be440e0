"""What is known of numbers by how they are computed.

In which operands functions are homogeneous: `f(c * x) = c * f(x)` for any number c. What a real
number is never below: `1 + np.exp(-x)` is at least 1, and a quotient by what is above zero has no
slope that is infinite.

Whether an index may name a place of an array several times.

y[[0, 0, 1]] = v        the last value stays       y[x > 0.0] += v        each place once

The kind of what is of one of two kinds, or of as many items as values decide.
"""

from __future__ import annotations

import builtins
import functools
import math
import operator
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from autodiff.core import Apply, Load, Value, Window
from autodiff.kinds import kind as kinds
from autodiff.kinds.joins import as_sequence, join
from autodiff.kinds.kind import (
    Array,
    Kind,
    Mapping,
    Nullable,
    Record,
    Scalar,
    Sequence,
    Static,
    Text,
    is_real,
    number,
)
from autodiff.primitives.primitive import number_of
from autodiff.primitives.table import DISPLAY
from autodiff.runtime import direction

HOMOGENEOUS: dict[Any, tuple[int, ...]] = {
    operator.mul: (0, 1),
    operator.truediv: (0,),
    operator.matmul: (0, 1),
    operator.neg: (0,),
    np.multiply: (0, 1),
    np.divide: (0,),
    np.matmul: (0, 1),
    np.dot: (0, 1),
    np.inner: (0, 1),
    np.outer: (0, 1),
    np.vdot: (1,),
    np.sum: (0,),
    np.transpose: (0,),
}
"""By the places of operands; in several of them one after the other, not in all at once."""


_DEEPEST = 8
"""So many operations in a row are looked through."""


def _positive(*given: float) -> float:
    return 0.0 if all(each >= 0.0 for each in given) else -math.inf


_LEAST: dict[Any, Callable[..., float]] = {
    **dict.fromkeys((operator.add, np.add), operator.add),
    **dict.fromkeys(
        (operator.mul, np.multiply), lambda a, b: a * b if _positive(a, b) == 0.0 else -math.inf
    ),
    **dict.fromkeys((math.sqrt, np.sqrt), lambda a: math.sqrt(max(a, 0.0))),
    **dict.fromkeys((math.exp, np.exp, np.square, abs, np.abs, math.hypot), lambda *_: 0.0),
    **dict.fromkeys((math.fabs, np.fabs, np.hypot, np.linalg.norm), lambda *_: 0.0),
    **dict.fromkeys((math.cosh, np.cosh), lambda *_: 1.0),
    **dict.fromkeys((np.maximum, builtins.max), lambda *given: max(given)),
    **dict.fromkeys((np.minimum, builtins.min), lambda *given: min(given)),
    **dict.fromkeys((np.max, np.min, np.transpose, np.ravel, np.copy), lambda a, *_: a),
    **dict.fromkeys((operator.truediv, np.divide, np.sum, builtins.sum), _positive),
    np.mean: lambda a, *_: a - 1e-6 * abs(a),  # sums are rounded
}
"""What a result is never below, for what the operands are never below. No overflow to below, but
underflow to zero: `np.exp` gives zero.
"""
_HARMLESS = frozenset(("axis", "keepdims"))
_SQUARES = frozenset((operator.mul, np.multiply))
_POWERS = frozenset((operator.pow, np.power, math.pow))


def least(value: Value, known: dict[Value, float], depth: int = _DEEPEST) -> float:
    """What a number, or each of an array, is never below if it is a number at all. known: what was
    found before.

    >>> least(Value("x", Scalar("float")), {}), least(Value("2", Scalar("int"), constant=2), {})
    (-inf, 2.0)
    """
    if value not in known:
        known[value] = _found(value, known, depth)
    return known[value]


def _found(value: Value, known: dict[Value, float], depth: int) -> float:
    if value.is_constant:
        own = value.constant
        return float(max(-1e300, min(own, 1e300))) if isinstance(own, (int, float)) else -math.inf
    op = value.op
    if isinstance(op, Load) and op.window is None and depth and not op.base.is_written:
        return least(op.base, known, depth - 1)
    if not isinstance(op, Apply) or depth == 0 or not is_double(value):
        return -math.inf
    function = op.primitive.function
    if function in _SQUARES and len(op.operands) == 2 and op.operands[0] is op.operands[1]:
        return 0.0
    places = [number_of(node) for node in op.application.arguments]
    given = [op.operands[place] for place in places if place is not None]
    if len(given) < len(places) or not given:
        return -math.inf
    if function in _POWERS:
        power = given[-1].constant if given[-1].is_constant else None
        even = isinstance(power, (int, float)) and power > 0 and power % 2 == 0
        return 0.0 if even else -math.inf
    found = _LEAST.get(function)
    if found is None or not _HARMLESS.issuperset(key for key, _ in op.application.keywords):
        return -math.inf
    return found(*(least(each, known, depth - 1) for each in given))


def is_double(value: Value) -> bool:
    """Whether a value holds numbers of double precision: what is above zero there may be zero in a
    lower one, and whole numbers overflow.
    """
    kind = value.kind
    if isinstance(kind, Array):
        return kind.dtype == "float64"
    return isinstance(kind, Scalar) and kind.type == "float" and kind.dtype in (None, "float64")


_ONCE = frozenset(
    (np.argsort, np.argpartition, np.nonzero, np.flatnonzero, np.diag_indices)
    + (np.diag_indices_from, np.tril_indices, np.tril_indices_from, np.triu_indices)
    + (np.triu_indices_from,)
)
"""Functions that give each place once, in one array of one axis or in a tuple of arrays."""


def may_repeat(index: Iterable[Value], window: Window | None) -> bool:
    """Whether the operands of a window may name a place several times."""
    several = [
        value
        for value in index
        if is_array(value.kind)
        or isinstance(value.kind, kinds.Numeric)  # a number, or an array
        or window is not None
        and window.several
        and is_list(value.kind)
    ]
    return bool(several) and not (len(several) == 1 and is_once(several[0]))


def is_array(kind: kinds.Kind) -> bool:
    """Whether an operand of a window holds several places, as numbers; a mask does not, and a tuple
    is an index for several axes.
    """
    if isinstance(kind, kinds.Array):
        return kind.dtype != "bool" and kind.shape != ()
    if isinstance(kind, kinds.Record) and issubclass(kind.cls, tuple):
        return any(is_array(item) or is_list(item) for item in kind.items)
    return is_list(kind)


def is_list(kind: kinds.Kind) -> bool:
    """Whether it holds several places for one axis: in an index of several, a tuple does, too."""
    return isinstance(kind, (kinds.Record, kinds.Sequence))


def copies(index: Iterable[Value]) -> bool:
    """Whether what these operands take out of an array is a copy for sure."""
    return any(isinstance(v.kind, kinds.Array) or is_array(v.kind) for v in index)


def is_once(value: Value) -> bool:
    """Whether an index is known to name each place once, and nobody changes it."""
    op = value.op
    if not isinstance(op, Apply) or value.is_written:
        return False
    if op.primitive is DISPLAY:
        numbers = [item.constant for item in op.operands]
        if not all(type(number) is int for number in numbers):
            return False
        return len(set(numbers)) == len(numbers) and len({number < 0 for number in numbers}) == 1
    shape = value.kind.shape if isinstance(value.kind, kinds.Array) else (None,)
    return op.primitive.function in _ONCE and len(shape) == 1


def either(one: Kind, other: Kind) -> Kind:
    """The kind of what is of one of two kinds. A number that may be of a narrower type, `0` or `x`,
    is of an unknown class: it decides what arrays of integers become.

    >>> either(Scalar("int"), Scalar("float"))
    Scalar(type='float', dtype='?', value=None)
    """
    kind = join(one, other)
    if isinstance(one, Scalar) and isinstance(other, Scalar) and one.type != other.type:
        assert isinstance(kind, Scalar)
        return number(kind.type, "?")
    return kind


def turning(function: Any, kinds: list[Kind]) -> Any:
    """The function that another is of such operands: `np.sign` of a complex number is a direction,
    which turns with it, since NumPy 2.
    """
    turns = function is np.sign and not all(map(_holds_reals, kinds)) and np.sign(1j) == 1j
    return direction if turns else function


def _holds_reals(kind: Kind) -> bool:
    """Whether something is real, or all in a list or tuple is."""
    if isinstance(kind, Record):
        return all(map(_holds_reals, kind.items))
    return _holds_reals(kind.item) if isinstance(kind, Sequence) else is_real(kind)


def items_alike(kind: Kind) -> Kind:
    """A container with known parts as one whose items are all of one kind, and so what it holds;
    tuples stay what they are, unless they are of several lengths.

    >>> items_alike(Record(dict, ("a",), (Scalar("int"),)))
    Mapping(item=Scalar(type='int', dtype=None, value=None), key=Text(), cls=<class 'dict'>)
    """
    if not isinstance(kind, Record) or kind.cls not in (list, tuple, dict) or not kind.items:
        return as_sequence(kind)
    parts = [each if is_tuple(each) else items_alike(each) for each in kind.items]
    item = functools.reduce(either, parts)
    if kind.cls is not dict:
        return Sequence(item, kind.cls)
    keys = {str: Text(), int: number("int")}
    classes = {type(key) for key in kind.keys}
    return Mapping(item, keys[classes.pop()]) if classes in ({str}, {int}) else kind


def holds_numbers(kind: Kind) -> bool:
    """Whether a container holds numbers, arrays, texts and `None`, or containers of these."""
    if isinstance(kind, Nullable):
        return kind.other is not None and holds_numbers(kind.other)
    if isinstance(kind, Record):
        return kind.cls in (tuple, list, dict) and all(map(holds_numbers, kind.items))
    if isinstance(kind, (Mapping, Sequence)):
        return holds_numbers(kind.item)
    return isinstance(kind, (Array, Scalar, Text)) or kind == Static(None)


def is_tuple(kind: Kind) -> bool:
    """Whether something is a tuple of known length."""
    return isinstance(kind, Record) and kind.cls is tuple


_COUNTED = frozenset(
    (np.nonzero, np.flatnonzero, np.argwhere, np.trim_zeros, np.unique, np.compress, np.extract)
    + (np.intersect1d, np.setdiff1d, np.setxor1d, np.union1d)
)


def is_counted(function: Any) -> bool:
    """Whether values decide how many items there are."""
    return getattr(function, "__hash__", None) is not None and function in _COUNTED


def of_any_size(kind: Kind) -> Kind:
    """A kind without its sizes.

    >>> of_any_size(Array("int64", (3,)))
    Array(dtype='int64', shape=(None,))
    """
    if isinstance(kind, Record):
        return Record(kind.cls, kind.keys, tuple(map(of_any_size, kind.items)))
    return Array(kind.dtype, (None,) * len(kind.shape)) if isinstance(kind, Array) else kind

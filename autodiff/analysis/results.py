"""The kind of a library function's result, whatever is known of the operands."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.analysis.exemplar import elementwise_kind, result_kind
from autodiff.analysis.kind import (
    UNKNOWN,
    Array,
    Kind,
    Numeric,
    Record,
    Scalar,
    Sequence,
    Unknown,
    classes_of,
)
from autodiff.analysis.operation import UNARY
from autodiff.rules import registry
from autodiff.rules.home import module_of

_STAND_INS = (
    Scalar("float"),
    *(Array("float64", (None,) * rank) for rank in range(1, 4)),
)


def library_kind(
    function: Any, elementwise: bool, arguments: list[Kind], keywords: list[tuple[str, Kind]]
) -> Kind:
    """The kind of `function(*arguments, **keywords)`, of a pure function."""
    if any(isinstance(kind, Unknown) for kind in arguments):
        return _unsure_kind(function, arguments, keywords)
    if registry.is_demanding(function):
        return UNKNOWN
    if elementwise and not keywords:
        return elementwise_kind(function, tuple(arguments))
    found = result_kind(function, tuple(arguments), tuple(keywords))
    if found == UNKNOWN and any(map(_holds_unknown, arguments)):
        return _unsure_kind(function, arguments, keywords)
    return found


def _unsure_kind(function: Any, arguments: list[Kind], keywords: list[tuple[str, Kind]]) -> Kind:
    """`Numeric` where a function of NumPy's or SciPy's gives numbers or arrays, whatever it gets.

    What it gives is found with numbers and arrays of one to three axes instead of what is not
    known; a tuple of numbers and arrays counts if it has as many parts for all of them.
    """
    given = (*arguments, *(kind for _, kind in keywords))
    if any(map(_may_be_object, given)) or registry.is_demanding(function):
        return UNKNOWN
    if isinstance(function, np.ufunc):
        return Numeric() if function.nout == 1 and len(arguments) <= function.nin else UNKNOWN
    if function in _CLOSED and all(map(_holds_numbers, given)):
        return Numeric()
    if not _is_of_library(function):
        return UNKNOWN
    found: Kind | None = None
    for stand_in in _STAND_INS:
        result = _numeric(
            result_kind(
                function,
                tuple(_filled(kind, stand_in) for kind in arguments),
                tuple((name, _filled(kind, stand_in)) for name, kind in keywords),
            )
        )
        if result is not None and found not in (None, result):
            return UNKNOWN
        found = result or found
    return found or UNKNOWN


_CLOSED = frozenset({sum, abs, max, min, pow, *UNARY.values()})
"""Functions that give numbers and arrays for numbers and arrays, or containers of them."""


def _is_of_library(function: Any) -> bool:
    if getattr(function, "__objclass__", None) is np.ndarray:
        return True
    return module_of(function).split(".")[0] in ("numpy", "scipy")


def _may_be_object(kind: Kind) -> bool:
    if isinstance(kind, Record):
        return any(map(_may_be_object, kind.items))
    return bool(classes_of(kind)) or isinstance(kind, Sequence) and _may_be_object(kind.item)


def _holds_numbers(kind: Kind) -> bool:
    if isinstance(kind, Record):
        return kind.cls in (list, tuple) and all(map(_holds_numbers, kind.items))
    if isinstance(kind, Sequence):
        return _holds_numbers(kind.item)
    return isinstance(kind, (Array, Numeric, Scalar))


def _holds_unknown(kind: Kind) -> bool:
    if isinstance(kind, Record):
        return any(map(_holds_unknown, kind.items))
    return isinstance(kind, Unknown) or isinstance(kind, Sequence) and _holds_unknown(kind.item)


def _filled(kind: Kind, stand_in: Kind) -> Kind:
    """The kind with another for what is not known."""
    if isinstance(kind, Record):
        return Record(kind.cls, kind.keys, tuple(_filled(item, stand_in) for item in kind.items))
    if isinstance(kind, Sequence):
        return Sequence(_filled(kind.item, stand_in), kind.cls)
    return stand_in if isinstance(kind, Unknown) else kind


def _numeric(kind: Kind) -> Kind | None:
    if isinstance(kind, (Array, Numeric, Scalar)):
        return Numeric()
    if isinstance(kind, Record) and kind.cls in (list, tuple):
        parts = [_numeric(item) for item in kind.items]
        if None not in parts:
            return Record(kind.cls, kind.keys, tuple(part for part in parts if part is not None))
    return None

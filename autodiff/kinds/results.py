"""The kind of a library function's result, whatever is known of the operands."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from autodiff import runtime
from autodiff.kinds.exemplar import elementwise_kind, result_kind
from autodiff.kinds.helper_kinds import MAKING
from autodiff.kinds.kind import (
    UNKNOWN,
    Array,
    Kind,
    Numeric,
    Record,
    Scalar,
    Sequence,
    Static,
    Unknown,
    classes_of,
)
from autodiff.kinds.operation import UNARY
from autodiff.rules import foreign, registry
from autodiff.rules.home import module_of
from autodiff.runtime.broadcasting import fit

_STAND_INS = (
    Scalar("float"),
    Scalar("int", None, 0),  # an axis, say
    *(Array("float64", (None,) * rank) for rank in range(1, 4)),
)


def library_kind(
    function: Any, elementwise: bool, arguments: list[Kind], keywords: list[tuple[str, Kind]]
) -> Kind:
    """The kind of `function(*arguments, **keywords)`, of a pure function."""
    for kind in arguments:
        if isinstance(kind, Unknown):
            return _unsure_kind(function, arguments, keywords)
    if registry.is_demanding(function):
        return Numeric() if _makes_new(function) else UNKNOWN
    if elementwise and not keywords:
        return elementwise_kind(function, tuple(arguments))
    if (k := foreign.axes_of(function)) is not None and isinstance(like := arguments[k], Array):
        return Array(_dtype_of(arguments), (None,) * len(like.shape))
    found = result_kind(function, tuple(arguments), tuple(keywords))
    if found != UNKNOWN:
        return found
    if _makes_new(function) or function in _SINGLE or any(map(_holds_unknown, arguments)):
        return _unsure_kind(function, arguments, keywords)
    return found


def _dtype_of(arguments: list[Kind]) -> str | None:
    """The dtype of what is computed with all of these; None where one is not known."""
    given = [getattr(kind.value, "dtype", None) for kind in arguments if isinstance(kind, Static)]
    given += [kind.dtype for kind in arguments if isinstance(kind, Array)]
    floating = [own for own in given if own is None or np.dtype(own).kind in "fc"]
    unknown = any(own is None for own in floating)  # a dtype equals None if it is float64
    return None if unknown else np.result_type(*floating).name


def _makes_new(function: Any) -> bool:
    return function in MAKING or registry.makes_new(function)


def _unsure_kind(function: Any, arguments: list[Kind], keywords: list[tuple[str, Kind]]) -> Kind:
    """`Numeric` where a function of NumPy's or SciPy's gives numbers or arrays, whatever it gets.

    What it gives is found with numbers and arrays of one to three axes instead of what is not
    known; a tuple of numbers and arrays counts if it has as many parts for all of them.
    """
    given = (*arguments, *(kind for _, kind in keywords))
    if not registry.makes_new(function):
        if any(map(_may_be_object, given)) or registry.is_demanding(function):
            return UNKNOWN
    if _makes_new(function) or function in _ARRANGING:
        return Numeric()
    if isinstance(function, np.ufunc):
        return Numeric() if function.nout == 1 and len(arguments) <= function.nin else UNKNOWN
    if function in _CLOSED and _are_numbers(given):
        return Numeric()
    if not _is_of_library(function) and not (_is_helper(function) and all(map(_is_numeric, given))):
        return UNKNOWN
    found: Kind | None = None
    for chosen in _choices([_holds_unknown(kind) for kind in given]):
        filled = [_filled(kind, stand_in) for kind, stand_in in zip(given, chosen)]
        own = filled[: len(arguments)]
        named = zip((name for name, _ in keywords), filled[len(arguments) :])
        result = _numeric(result_kind(function, tuple(own), tuple(named)))
        if result is not None and found not in (None, result):
            return UNKNOWN
        found = result or found
    return found or (Numeric() if function in _SINGLE else UNKNOWN)


_ARRANGING = frozenset({runtime.conj, runtime.einsum_adjoint, runtime.scatter, fit})
"""Helpers that give a number or an array for what may be a list of numbers."""

_SINGLE = frozenset(
    {
        *(np.sum, np.mean, np.prod, np.max, np.min, np.var, np.std, np.trace, np.cumsum),
        *(np.cumprod, np.dot, np.vdot, np.inner, np.outer, np.tensordot, np.kron, np.einsum),
        *(np.reshape, np.ravel, np.transpose, np.swapaxes, np.moveaxis, np.rollaxis, np.squeeze),
        *(np.expand_dims, np.broadcast_to, np.asarray, np.array, np.copy, np.real, np.imag),
        *(np.flip, np.roll, np.rot90, np.diagonal, np.tril, np.triu, np.where, np.concatenate),
        *(np.cross, np.stack, np.take, np.zeros_like, np.ones_like, np.full_like),
        *(np.amax, np.amin, np.ptp, np.median, np.quantile, np.percentile, np.nansum, np.nanprod),
        *(np.nanmean, np.nanvar, np.nanstd, np.nanmax, np.nanmin, np.nanmedian, np.nanquantile),
        *(np.nanpercentile, np.diff, np.sort, np.repeat, np.tile, np.pad, np.insert, np.delete),
        *(np.append, np.vstack, np.hstack, np.take_along_axis, np.clip, np.convolve, np.correlate),
        *(np.ndarray.astype, np.ndarray.flatten),
    }
)
"""Functions whose result is one number or array, also where no stand-ins fit."""

_CLOSED = frozenset({sum, abs, max, min, pow, np.real, np.imag, *UNARY.values()})
"""Functions that give numbers and arrays for numbers and arrays, or for one container of them."""


def _is_of_library(function: Any) -> bool:
    if getattr(function, "__objclass__", None) is np.ndarray:
        return True
    return module_of(function).split(".")[0] in ("numpy", "scipy")


def _is_helper(function: Any) -> bool:
    """Whether a function is one of the library's own, which treat lists as lists."""
    return module_of(function).startswith(("autodiff.runtime.", "autodiff.templates."))


def _is_numeric(kind: Kind) -> bool:
    return not isinstance(kind, Unknown) or isinstance(kind, Numeric)


def _may_be_object(kind: Kind) -> bool:
    if isinstance(kind, Record):
        return any(map(_may_be_object, kind.items))
    return bool(classes_of(kind)) or isinstance(kind, Sequence) and _may_be_object(kind.item)


def _choices(unknown: list[bool]) -> Iterator[tuple[Kind, ...]]:
    """Stand-ins for the operands: each with each, unless too many operands are not known."""
    if unknown.count(True) > 2:
        yield from ((stand_in,) * len(unknown) for stand_in in _STAND_INS)
    else:
        yield from itertools.product(*(_STAND_INS if is_ else _STAND_INS[:1] for is_ in unknown))


def _are_numbers(operands: tuple[Kind, ...]) -> bool:
    """Whether all are numbers and arrays, the first perhaps one flat list or tuple of them.

    Lists of lists are not: `sum(rows, [])` and `max(rows)` are lists.
    """
    first = operands[:1]
    if first and isinstance(first[0], Record) and first[0].cls in (list, tuple):
        first = first[0].items
    elif first and isinstance(first[0], Sequence):
        first = (first[0].item,)
    return all(isinstance(kind, (Array, Numeric, Scalar)) for kind in (*first, *operands[1:]))


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
    if isinstance(kind, Scalar) and kind.dtype is None and kind.type in ("bool", "int"):
        return Scalar(kind.type)  # `np.ndim`: it does not come from the elements
    if isinstance(kind, (Array, Numeric, Scalar)):
        return Numeric()
    if isinstance(kind, Record) and kind.cls in (list, tuple):
        parts = [_numeric(item) for item in kind.items]
        if None not in parts:
            return Record(kind.cls, kind.keys, tuple(part for part in parts if part is not None))
    return None

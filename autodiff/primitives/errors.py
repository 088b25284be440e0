"""Which primitives raise an error for some values of operands whose kinds and shapes fit."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from autodiff.analysis.kind import Array, Kind, Scalar
from autodiff.rules.home import module_of

Errors = Literal["never", "numbers", "shapes", "values"]
"""never: if the kind of the result is known, and shapes fit.
shapes: only empty arrays are refused, or shapes that do not fit; of Python, arrays.
numbers: only Python's numbers are refused (division by zero), as NumPy's give nan or inf.
values: what is refused, or does not fit, depends on values.
"""

_BY_VALUES = (
    *(int, complex, operator.index, operator.getitem, np.average, np.quantile),
    *(np.percentile, np.nanquantile, np.nanpercentile, np.asarray_chkfinite, np.geomspace),
    *(np.arange, np.interp, np.roots, np.poly, np.polyfit, np.cov, np.histogram, np.histogram2d),
    *(np.histogramdd, np.histogram_bin_edges, np.gradient),
)
"""Functions that refuse some values of arrays or numbers, or convert what may not be converted."""
_DIVIDING = (operator.truediv, operator.floordiv, operator.mod, divmod, operator.pow, pow)
_TOTAL = (
    *(math.fabs, math.atan, math.atan2, math.tanh, math.asinh, math.erf, math.erfc, math.copysign),
    *(math.hypot, math.degrees, math.radians, math.isnan, math.isinf, math.isfinite),
    *(operator.add, operator.sub, operator.mul, operator.neg, operator.pos, abs, operator.not_),
    *(operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne),
    *(operator.is_, operator.is_not, len, range, isinstance, type, callable, slice),
    *(np.where, np.sum, np.mean, np.prod, np.var, np.std, np.cumsum, np.cumprod, np.all, np.any),
    *(np.nansum, np.nanmean, np.nanprod, np.nanvar, np.nanstd, np.count_nonzero, np.median),
    *(np.transpose, np.swapaxes, np.flip, np.fliplr, np.flipud, np.rot90, np.expand_dims),
    *(np.moveaxis, np.rollaxis, np.atleast_1d, np.atleast_2d, np.atleast_3d, np.ravel, np.copy),
    *(np.zeros_like, np.ones_like, np.empty_like, np.full_like, np.shape, np.ndim, np.size),
    *(np.asarray, np.asanyarray, np.ascontiguousarray, np.asfortranarray, np.real, np.imag),
    *(np.ndarray.flatten, np.clip, np.round, np.around, np.nan_to_num, np.angle, np.sort),
    *(np.argsort, np.diff, np.diagonal, np.trace, np.tril, np.triu, np.roll, np.outer, np.kron),
    *(np.iscomplexobj, np.isrealobj, np.sinc, np.result_type, np.isclose),
)
"""Functions that take all numbers and arrays of which the result's kind is known."""
_SHAPED = (
    *(np.array, np.concatenate, np.stack, np.vstack, np.hstack, np.dstack, np.column_stack),
    *(np.dot, np.matmul, operator.matmul, np.max, np.min, np.argmax, np.argmin, np.ptp, np.squeeze),
    *(np.zeros, np.ones, np.empty, np.full, np.eye, np.identity, np.linspace, np.diag),
    *(np.linalg.norm, sum, max, min, float, bool, round),
)
"""Functions that refuse shapes alone, empty ones or such that do not fit."""
_KNOWN: dict[Any, Errors] = {
    **dict.fromkeys(_SHAPED, "shapes"),
    **dict.fromkeys(_TOTAL, "never"),
    **dict.fromkeys(_DIVIDING, "numbers"),
    **dict.fromkeys(_BY_VALUES, "values"),
}
_REFUSING = ("scipy.linalg", "scipy.signal", "scipy.interpolate", "scipy.spatial", "numpy.linalg")
"""Modules whose functions check what they are given."""


def errors_of(function: Any, elementwise: bool) -> Errors | None:
    """Which values a function refuses; None where nobody looked.

    >>> errors_of(np.sin, True), errors_of(math.log, True), errors_of(np.linalg.inv, False)
    ('never', 'numbers', 'values')
    """
    found = _KNOWN.get(function)
    if found is not None:
        return found
    home = module_of(function)
    if home == "math":
        return "numbers"
    if ".linalg" in home or home.startswith(_REFUSING):
        return "values"
    if isinstance(function, np.ufunc) and home != "math":
        return "numbers" if function is np.power else "never"
    return "never" if elementwise and home.startswith("numpy") else None


def refuses(function: Any, operands: Sequence[Kind], divisor: object = None) -> bool:
    """Whether a primitive that refuses some of Python's numbers may be given one.

    divisor: the constant that is divided by, if it is one.

    >>> array, number = Array("float64", (3,)), Scalar("float")
    >>> refuses(operator.truediv, [array, number]), refuses(operator.truediv, [number, number])
    (False, True)
    >>> refuses(math.log, [Scalar("float", "float64")]), refuses(np.power, [number, number])
    (True, False)
    """
    if function is np.power and any(_type(kind) in ("float", "complex") for kind in operands):
        return False
    if function in (operator.pow, pow, np.power):
        return not any(map(_is_inexact_of_numpy, operands))
    if function not in _DIVIDING:
        return True
    if type(divisor) in (int, float) and divisor:
        return False
    return not any(map(_is_of_numpy, operands))


def _type(kind: Kind) -> str | None:
    return kind.type if isinstance(kind, Scalar) else None


def _is_of_numpy(kind: Kind) -> bool:
    """Whether a value surely is an array, or a number of a class of NumPy's."""
    return isinstance(kind, Array) or isinstance(kind, Scalar) and kind.dtype not in (None, "?")


def _is_inexact_of_numpy(kind: Kind) -> bool:
    if isinstance(kind, Array):
        return kind.dtype is not None and kind.dtype[0] in "fc"
    return _is_of_numpy(kind) and _type(kind) in ("float", "complex")

"""The functions that lowered code may call: those that the tests compare with NumPy's."""

from __future__ import annotations

import math
from types import FunctionType, MappingProxyType
from typing import Any

import numba
import numpy as np

from autodiff import runtime
from autodiff.native import arrays, helpers, masks, narrow, sharing, short, taped
from autodiff.native.made import MADE
from autodiff.rules.home import hashable, module_of

_MATH = "sqrt exp log sin cos tan asin acos atan atan2 sinh cosh tanh log1p expm1 fabs hypot "
_MATH += "erf erfc gamma lgamma log2 log10 degrees radians pow copysign asinh acosh atanh"
_TESTS = "floor ceil trunc isnan isinf isfinite"
"""Functions of `math` whose results are no floats."""
_UFUNCS = (
    "sqrt exp log sin cos tan arcsin arccos arctan arctan2 sinh cosh tanh log1p expm1 "
    "absolute square sign maximum minimum hypot negative add subtract multiply divide "
    "log2 log10 exp2 logaddexp floor ceil trunc isnan isfinite logical_and logical_or logical_not "
    "equal not_equal less less_equal greater greater_equal copysign arcsinh arccosh arctanh "
    "fmax fmin power isinf"
)

ELEMENTWISE = MappingProxyType(
    {getattr(np, name): getattr(np, name).nin for name in _UFUNCS.split()}
)
"""Functions that are one of numbers for each element; how many arguments they have."""

FUNCTIONS = MappingProxyType(
    {getattr(math, name): 2 for name in [*_MATH.split(), *_TESTS.split()]}
    | ELEMENTWISE
    | {np.zeros: 1, np.ones: 1, np.empty: 1, np.zeros_like: 1, np.ones_like: 1, np.empty_like: 1}
    | {np.sum: 1, np.mean: 1, np.prod: 1, np.max: 1, np.min: 1, np.where: 3, np.copy: 1}
    | {np.full: 2, np.array: 1, np.full_like: 2, np.eye: 2, np.linspace: 3, np.arange: 2}
    | {np.argmax: 1, np.argmin: 1, np.count_nonzero: 1, np.outer: 2, np.cumsum: 1, np.roll: 2}
    | {len: 1, range: 3, numba.prange: 1, abs: 1, float: 1, int: 1, bool: 1, min: 2, max: 2}
    | {round: 1, divmod: 2, complex: 2, np.conj: 1, np.real: 1, np.imag: 1, runtime.phase: 1}
    | {runtime.direction: 1, runtime.unbroadcast: 2, runtime.copied: 1, runtime.alike: 2}
    | {
        helpers.span: 4,
        helpers.fit: 2,
        helpers.stretch: 2,
        helpers.choose: 3,
        helpers.exact: 2,
        taped.longer: 3,
        taped.times: 20,
        taped.new_tape: 2,
        runtime.winners: 2,
    }
    | {np.transpose: 2, np.repeat: 2, np.tril: 2, np.triu: 2, np.cumprod: 1, np.var: 1, np.std: 1}
    | {np.concatenate: 2, np.stack: 2, np.vstack: 1, np.hstack: 1, np.column_stack: 1}
    | sharing.ARITY
    | short.CASTS
)
"""How many arguments each may be given, by position."""

COMPLEX: tuple[Any, ...] = (
    *(np.exp, np.log, np.sqrt, np.sin, np.cos, np.sinh, np.cosh, np.absolute, abs, np.square),
    *(np.negative, np.add, np.subtract, np.multiply, np.divide, np.conj, np.real, np.imag),
    *(np.sum, np.mean, np.zeros_like, np.ones_like, np.empty_like, np.copy, np.where, np.array),
    *(narrow.widen, narrow.narrow, complex, len, runtime.phase, runtime.unbroadcast),
    *(runtime.direction, runtime.copied, runtime.alike, runtime.orderless, runtime.adjoint_of),
    *(np.may_share_memory, np.full_like),
    *(
        helpers.exact,
        helpers.choose,
        np.full,
        taped.longer,
        np.empty,
        np.zeros,
        np.ones,
        range,
        int,
        float,
        bool,
    ),
    *(np.isfinite, np.isnan, np.prod, np.any, np.all, np.triu, np.tril, np.power, np.reshape),
    *(np.transpose, np.equal, np.not_equal, np.repeat, np.outer, np.concatenate, np.stack),
    *(runtime.zeros_alike, runtime.replica, runtime.blanks, runtime.duplicates, max),
    *(arrays.apart, arrays.matmul, arrays.matmul_left, arrays.matmul_right, arrays.reshaped),
    *(arrays.viewed, arrays.filled, helpers.span, helpers.fit, helpers.stretch, masks.masked),
    masks.set_masked,
)
"""Those that are compared for complex numbers, too."""

SHARING: tuple[Any, ...] = (
    *(runtime.blanks, runtime.duplicates, runtime.unbroadcast),
    *(np.broadcast_to, np.reshape, np.ravel, np.real, np.imag, np.diag, np.flip, np.flipud),
    *(np.fliplr, arrays.viewed),
)
"""Those whose result may be, or look at, the memory of an argument."""

MATH = tuple(getattr(math, name) for name in _MATH.split())
"""Functions of numbers alone."""

CHEAP = (math.sqrt, np.sqrt, math.fabs, abs, np.absolute, float)
"""Those that cost little more than a number on the tape."""


def arity(function: object) -> int | None:
    """How many arguments a function may be given; None if it is not to be called.

    >>> arity(np.sin), arity(arrays.add_at), arity(print)
    (1, 3, None)
    """
    if not hashable(function):
        return None
    is_ours = function in MADE or module_of(function).startswith("autodiff.native.")
    if is_ours and isinstance(function, FunctionType):
        return function.__code__.co_argcount
    return FUNCTIONS.get(function)


METHODS = MappingProxyType(
    {"copy": 0, "flatten": 0, "sum": 0, "append": 1, "pop": 0, "astype": 1}
    | {"conj": 0, "conjugate": 0}
)
ATTRIBUTES = frozenset("shape size ndim T start stop step real imag".split())
DTYPES = frozenset(("bool_", "int64", "float64", "complex128"))
CONSTANTS = frozenset(("pi", "e", "inf", "nan"))

"""Whether results of functions of NumPy are new memory. `tests/primitives` runs them all."""

from __future__ import annotations

import functools
import math
import operator
from typing import Any

import numpy as np

from autodiff import runtime
from autodiff.analysis.kind import Array, Kind, Numeric, Scalar
from autodiff.analysis.library import MAKING
from autodiff.primitives.primitive import Memory
from autodiff.rules import registry
from autodiff.rules.home import module_of

_VIEWS = frozenset(
    (np.transpose, np.swapaxes, np.squeeze, np.expand_dims, np.moveaxis, np.rollaxis, np.flip)
    + (np.fliplr, np.flipud, np.rot90, np.atleast_1d)
    + (getattr(np, "matrix_transpose", np.transpose),)
)
"""Functions of which the result always is the memory of the first operand."""

_MAY_SHARE = frozenset(
    "reshape ravel asarray asanyarray ascontiguousarray asfortranarray require atleast_2d "
    "atleast_3d broadcast_arrays diag real imag split array_split hsplit vsplit dsplit unstack "
    "real_if_close nan_to_num trim_zeros meshgrid ix_ astype array matrix_power "
    "asarray_chkfinite polyder polyint sliding_window_view einsum conj conjugate histogram "
    "histogram2d histogramdd histogram_bin_edges fft2 ifft2 fftn ifftn permute_dims "
    "as_strided broadcast_to diagonal".split()
)
"""Functions of NumPy and SciPy that give a view for some operands."""

_NEW_OF_OURS = (runtime.zeros_like, *MAKING)
_OPERATORS = (operator.__name__, math.__name__, "cmath", "builtins", "_operator")
_CHOOSING = frozenset(
    (max, min, getattr, next, sorted, reversed, zip, enumerate, map, filter, iter)
)
"""Builtins that give parts of what they are given."""


@functools.lru_cache(maxsize=4096)
def memory_of(function: Any) -> Memory:
    """Whether a function returns new memory, a view of its first operand, or nobody knows.

    >>> memory_of(np.sin), memory_of(np.transpose), memory_of(np.reshape)
    ('new', 'view', 'unknown')
    """
    name = getattr(function, "__name__", "")
    if function in _VIEWS:
        return "view"
    if isinstance(function, np.ufunc) and name not in ("conjugate",) or function in _NEW_OF_OURS:
        return "new"
    if registry.makes_new(function):
        return "new"
    home = module_of(function)
    if home in _OPERATORS:
        return "unknown" if function in _CHOOSING else "new"
    numerical = getattr(function, "__objclass__", None) is np.ndarray or home.startswith(
        ("numpy", "scipy")
    )
    return (
        "new" if numerical and registry.is_pure(function) and name not in _MAY_SHARE else "unknown"
    )


def is_numeric(kind: Kind) -> bool:
    """Whether a value is a number or an array."""
    return isinstance(kind, (Array, Scalar, Numeric))

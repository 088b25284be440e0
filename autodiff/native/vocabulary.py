"""The functions that lowered code may call: those that the tests compare with NumPy's."""

from __future__ import annotations

import math
from types import MappingProxyType

import numpy as np

from autodiff import runtime
from autodiff.native import helpers

_MATH = "sqrt exp log sin cos tan asin acos atan atan2 sinh cosh tanh log1p expm1 fabs hypot"
_UFUNCS = (
    "sqrt exp log sin cos tan arcsin arccos arctan arctan2 sinh cosh tanh log1p expm1 "
    "absolute square sign maximum minimum hypot negative add subtract multiply divide"
)

FUNCTIONS = MappingProxyType(
    {getattr(math, name): 2 for name in _MATH.split()}
    | {getattr(np, name): getattr(np, name).nin for name in _UFUNCS.split()}
    | {np.zeros: 1, np.ones: 1, np.empty: 1, np.zeros_like: 1, np.ones_like: 1, np.empty_like: 1}
    | {np.sum: 1, np.where: 3, np.copy: 1}
    | {len: 1, range: 3, abs: 1, float: 1, int: 1, bool: 1, min: 2, max: 2}
    | {runtime.unbroadcast: 2, runtime.copied: 1}
    | {helpers.room: 3, helpers.exact: 2, helpers.expect: 2, helpers.backwards: 3, helpers.vdot: 2}
)
"""How many arguments each may be given, by position."""

SHARING = (runtime.unbroadcast,)
"""Those whose result may be, or look at, the memory of an argument."""

CHEAP = (math.sqrt, np.sqrt, math.fabs, abs, np.absolute, float)
"""Those that cost little more than a number on the tape."""

METHODS = MappingProxyType({"copy": 0, "sum": 0, "append": 1, "pop": 0})
ATTRIBUTES = frozenset(("shape", "size", "ndim", "T"))
CONSTANTS = frozenset(("pi", "e", "inf", "nan"))
REPLACED = MappingProxyType({np.vdot: helpers.vdot})
"""Functions that Numba compiles for fewer types than the helper in their place."""

"""In which operands functions are homogeneous: `f(c * x) = c * f(x)` for any number c."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

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

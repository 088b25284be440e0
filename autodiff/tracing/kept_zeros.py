"""Entries that are 0 and stay in a sparse matrix of a run, as they may have a derivative.

SciPy leaves them out, so a function of the user's that asks how many there are, or reads them all,
would see something else: it is refused.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from autodiff.rules import foreign
from autodiff.rules.home import is_library
from autodiff.tracing.number import value_of
from autodiff.tracing.trace import Trace

_NAMES = frozenset(
    "nnz size getnnz data indices indptr row col coords rows keys items values".split()
)


def check(trace: Trace, x: Any, name: str) -> None:
    """Refuses what is asked of such a matrix by a function that is not SciPy's own."""
    if name not in _NAMES or trace.zeros == foreign.zeros_kept() or not foreign.is_followed(x):
        return
    asking = sys._getframe(2).f_globals.get("__name__") or ""
    if not is_library(asking) and getattr(x, "format", "dia") != "dia" and _has_zeros(x):
        raise trace.fail(f"`{name}` of a sparse matrix with entries that are 0, which SciPy drops")


def _has_zeros(x: Any) -> bool:
    own = vars(x)
    if "_dict" in own:
        return any(value_of(each) == 0 for each in own["_dict"].values())
    data = own.get("data")
    if not isinstance(data, np.ndarray):
        return False
    if data.dtype.kind == "O":
        return any(value_of(each) == 0 for row in data.flat for each in row)
    return bool(np.any(data == 0))

"""Functions whose result has as many items as values decide: no size of it follows from kinds."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.analysis.kind import Array, Kind, Record
from autodiff.primitives.primitive import Application

_COUNTED = frozenset(
    (np.nonzero, np.flatnonzero, np.argwhere, np.trim_zeros, np.unique, np.compress, np.extract)
    + (np.intersect1d, np.setdiff1d, np.setxor1d, np.union1d)
)


def is_counted(function: Any, application: Application) -> bool:
    """Whether values decide how many items there are; `np.where(test)` is `np.nonzero`."""
    if function is np.where:
        return len(application.arguments) == 1
    return getattr(function, "__hash__", None) is not None and function in _COUNTED


def of_any_size(kind: Kind) -> Kind:
    """A kind without its sizes.

    >>> of_any_size(Array("int64", (3,)))
    Array(dtype='int64', shape=(None,))
    """
    if isinstance(kind, Record):
        return Record(kind.cls, kind.keys, tuple(map(of_any_size, kind.items)))
    return Array(kind.dtype, (None,) * len(kind.shape)) if isinstance(kind, Array) else kind

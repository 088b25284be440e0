"""Records in a run: what their fields are given, and are called."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.tracing.bound_late import getitem_of
from autodiff.tracing.trace import Trace


def by_field(trace: Trace, x: Any, value: Any) -> Any:
    """What a store into records gives to each of their fields."""
    count = len(x.dtype.names)
    if isinstance(value, (np.ndarray, np.void)) and value.dtype.names:
        return [getitem_of(value, name) for name in value.dtype.names]
    if isinstance(value, list) and all(isinstance(own, tuple) for own in value):
        return [[own[k] for own in value] for k in range(count)]
    if isinstance(value, (list, np.ndarray)):
        raise trace.fail("a store into records")
    return value if isinstance(value, tuple) else [value] * count


def field_of(record: Any, index: Any) -> Any:
    """The name of a field that is asked for by its place."""
    return record.dtype.names[index] if isinstance(index, (int, np.integer)) else index


def is_of_fields(index: Any) -> bool:
    """Whether an index of records says fields of all of them."""
    return isinstance(index[0] if isinstance(index, list) and index else index, str)

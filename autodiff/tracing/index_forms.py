"""Indices of arrays: kept as they are, of one element, of places that occur twice."""

from __future__ import annotations

from typing import Any

import numpy as np


def kept_index(index: Any) -> Any:
    """An index as it is now."""
    if isinstance(index, np.ndarray):
        return index.copy()
    if isinstance(index, tuple):
        return tuple(map(kept_index, index))
    return list(index) if isinstance(index, list) else index


def is_basic(index: Any) -> bool:
    parts = index if isinstance(index, tuple) else (index,)
    plain = (int, np.integer, slice, type(None), type(Ellipsis))
    return all(isinstance(own, plain) and not isinstance(own, bool) for own in parts)


def at(place: Any, index: Any) -> Any:
    """The array of no axes that one element is."""
    parts = index if isinstance(index, tuple) else (index,)
    whole = (*parts, Ellipsis)
    return place[whole]


def winners_of(x: Any, index: Any) -> Any:
    """Which elements of what is stored are there afterwards, where places may occur twice."""
    marks = np.zeros(x.shape, int)
    count = np.arange(marks[index].size).reshape(marks[index].shape)
    marks[index] = count
    return marks[index] == count

"""Whether values from outside share memory that a program may change: arrays, lists, objects."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any

import numpy as np

from autodiff.rules.home import is_library, module_of

_MOST = 2000
"""How many objects are looked at; what holds more is taken to share with everything."""


NEVER_CHANGING = (int, float, complex, str, bytes, range, slice, np.generic, np.dtype)


def memory_shared(values: Iterable[Any], others: Iterable[Any]) -> bool:
    """Whether an array, container or object that some value is, or holds, is held by others too."""
    arrays, ids, all_seen = _held(values)
    other_arrays, other_ids, others_seen = _held(others)
    if not (arrays or ids) or not (other_arrays or other_ids):
        return False
    if not (all_seen and others_seen) or not ids.isdisjoint(other_ids):
        return True
    return any(np.may_share_memory(one, two) for one in arrays for two in other_arrays)


def _held(values: Iterable[Any]) -> tuple[list[Any], set[int], bool]:
    arrays: list[Any] = []
    ids: set[int] = set()
    todo = list(values)
    for count, value in enumerate(todo):
        if count > _MOST:
            return arrays, ids, False
        if isinstance(value, np.ndarray) and value.dtype != object:
            arrays.append(value)
        elif isinstance(value, (tuple, frozenset)):
            todo.extend(value)
        elif id(value) not in ids and (parts := _parts(value)) is not None:
            ids.add(id(value))
            todo.extend(parts)
    return arrays, ids, True


def _parts(value: Any) -> Iterator[Any] | None:
    """What an object that may change holds; None for what is no object of that kind."""
    if isinstance(value, dict):
        return iter([*value.values()])
    if isinstance(value, (list, set, deque, np.ndarray)):
        return iter([*value])
    if isinstance(value, type):
        return None if is_library(module_of(value)) else iter([*vars(value).values()])
    if value is None or callable(value) and is_library(module_of(type(value))):
        return None
    if isinstance(value, (ModuleType, *NEVER_CHANGING)):
        return None
    return iter([*held.values()] if type(held := getattr(value, "__dict__", 0)) is dict else [])

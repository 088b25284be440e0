"""Copies of values that generated code is about to change."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.runtime.structure import as_tuple, fields, is_record


def copied(x: Any) -> Any:
    """A copy that shares no mutable memory with `x`: arrays, lists, dicts and objects, nested."""
    if isinstance(x, np.ndarray):
        return x.copy()
    if isinstance(x, tuple):
        return as_tuple(x, [copied(item) for item in x])
    if isinstance(x, list):
        return [copied(item) for item in x]
    if isinstance(x, dict):
        return {key: copied(item) for key, item in x.items()}
    if is_record(x):
        result = object.__new__(type(x))
        for field, item in fields(x).items():
            object.__setattr__(result, field, copied(item))
        return result
    return x


def expand(g: Any, like: Any) -> Any:
    """The adjoint `g`, which may repeat along axes, as a new array with all the shape of `like`."""
    if not isinstance(like, np.ndarray):
        return g
    return np.array(np.broadcast_to(g, like.shape))


def restructured(x: Any, parts: dict[str, Any]) -> Any:
    """An object of the class of `x` whose attributes are the adjoints given; others are None."""
    result = object.__new__(type(x))
    for field in fields(x):
        object.__setattr__(result, field, parts.get(field))
    return result

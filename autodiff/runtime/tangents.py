"""What tangent code calls: tangents brought into the form of their primals."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.runtime.copying import copied, replica
from autodiff.runtime.structure import as_tuple, fields, is_record


def tangent_of(g: Any, like: Any) -> Any:
    """The tangent `g` as new memory with the shape and dtype of `like`, which lies as `like` does.

    >>> tangent_of(1.0, np.zeros(2, np.float32))
    array([1., 1.], dtype=float32)
    """
    if isinstance(like, np.ndarray) and not like.dtype.hasobject:
        if like.dtype.kind not in "fc":
            return np.array(np.broadcast_to(g, like.shape), float)
        result = replica(like)
        result[...] = g
        return result
    if isinstance(like, np.generic) and like.dtype.kind in "fc":
        return np.asarray(g, like.dtype)[()]
    if isinstance(like, tuple) and isinstance(g, tuple):
        return as_tuple(like, [tangent_of(part, own) for part, own in zip(g, like)])
    return copied(g)


def item(tangent: Any, key: Any) -> Any:
    """The tangent of `x[key]`, from the tangent of `x`.

    Raises:
        TypeError: it is no array, tuple, list or dict, so that `[...]` may mean anything.
    """
    if isinstance(tangent, (np.ndarray, tuple, list, dict)):
        return tangent[key]
    if is_record(tangent) and isinstance(key, str) and key in fields(tangent):
        return fields(tangent)[key]
    raise TypeError(f"the tangent of an item of a {type(tangent).__name__} is not known")

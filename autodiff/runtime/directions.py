"""What tangent code along several directions calls: the directions are the first axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.runtime.broadcasting import as_dtype
from autodiff.runtime.copying import assembled, copied, replica
from autodiff.runtime.structure import as_tuple, fields, is_record, zeros_like

Array = np.ndarray[Any, Any]


def tangents_of(g: Any, like: Any) -> Any:
    """The tangents `g` along several directions, as new memory of the shape and dtype of `like`.

    The directions are the first axis, behind which `g` is broadcast.

    >>> tangents_of(np.array([[1.0], [2.0]]), np.zeros(3, np.float32))
    array([[1., 1., 1.],
           [2., 2., 2.]], dtype=float32)
    """
    dtype = like.dtype if like.dtype.kind in "fc" else np.dtype(float)
    result = np.empty((len(g), *like.shape), dtype)
    result[...] = g
    return result


def unbroadcast_each(g: Array, like: Any) -> Array:
    """`unbroadcast` of the adjoints `g` along several directions. May return `g` itself.

    >>> unbroadcast_each(np.ones((2, 3)), 1.0)
    array([3., 3.])
    """
    shape: tuple[int, ...] = np.shape(like)
    extra = g.ndim - 1 - len(shape)
    if extra > 0:
        g = g.sum(axis=tuple(range(1, extra + 1)))
    elif extra < 0:
        g = g.reshape(len(g), *(1,) * -extra, *g.shape[1:])
    axes = tuple(k for k, n in enumerate(shape, 1) if n == 1 and g.shape[k] != 1)
    if axes:
        g = g.sum(axis=axes, keepdims=True)
    if g.shape[1:] != shape:
        g = np.broadcast_to(g, (len(g), *shape)).copy()
    found: Array = as_dtype(g, np.result_type(like))
    return found


def zeros_each(like: Any, count: int) -> Any:
    """The zero tangents of a value along so many directions; text and functions have None.

    >>> zeros_each([1.0, "a"], 2)
    [array([0., 0.]), None]
    """
    return _zeros(zeros_like(like), count, {})


def _zeros(zero: Any, count: int, made: dict[int, Any]) -> Any:
    """The same zeros along each direction; what is there twice is there twice again."""
    if isinstance(zero, (float, complex, np.generic)):
        return np.zeros(count, np.result_type(zero))
    if isinstance(zero, tuple):
        return as_tuple(zero, [_zeros(item, count, made) for item in zero])
    if id(zero) not in made:
        made[id(zero)] = _new(zero, count, made)
    return made[id(zero)]


def _new(zero: Any, count: int, made: dict[int, Any]) -> Any:
    if isinstance(zero, np.ndarray):
        return np.zeros((count, *zero.shape), zero.dtype)
    if isinstance(zero, list):
        return [_zeros(item, count, made) for item in zero]
    if isinstance(zero, dict):
        return {key: _zeros(item, count, made) for key, item in zero.items()}
    if is_record(zero):
        parts = {own: _zeros(item, count, made) for own, item in fields(zero).items()}
        return assembled(type(zero), **parts)
    return zero


def stacked(parts: list[Array], count: int) -> Array:
    """Tangents of an array made of a list of numbers or arrays, which may be empty.

    >>> stacked([np.zeros(2), np.ones(2)], 2)
    array([[0., 1.],
           [0., 1.]])
    """
    return np.stack(parts, axis=1) if parts else np.zeros((count, 0))


def repeated(x: Any, count: int) -> Any:
    """What is the same along so many directions, as new memory.

    >>> repeated(1.0, 2)
    array([1., 1.])
    """
    return np.repeat(np.asarray(x)[None], count, axis=0)


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

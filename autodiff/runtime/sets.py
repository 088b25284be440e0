"""Adjoints of functions that choose some of the elements, or put others between them."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.runtime.broadcasting import as_dtype, dtype_of_adjoint, unbroadcast
from autodiff.runtime.structure import as_tuple


def chosen_adjoint(g: Any, y: Any, x: Any, besides: Any = None) -> Any:
    """The adjoint of `x` when `g` is that of `y`, distinct elements some of which are of `x`.

    Of equal elements the first receives it. What is in `besides` comes from there.

    >>> chosen_adjoint(np.array([1.0, 2.0]), np.array([3.0, 5.0]), np.array([5.0, 3.0, 3.0]))
    array([2., 1., 0.])
    """
    flat = np.ravel(x)
    result = np.zeros(flat.shape, dtype_of_adjoint(g, x))
    if flat.size:
        order = np.argsort(flat, kind="stable")
        at = order[np.minimum(np.searchsorted(flat[order], y), flat.size - 1)]
        with np.errstate(invalid="ignore"):
            found = (flat[at] == y) | ((flat[at] != flat[at]) & (y != y))
        if besides is not None:
            found &= ~np.isin(y, besides)
        result[at[found]] = as_dtype(np.asarray(g)[found], result.dtype)
    return np.reshape(result, np.shape(x))


def insertion(shape: tuple[int, ...], obj: Any, values: Any, axis: int | None) -> tuple[Any, Any]:
    """For each element of `np.insert(...)` its place in the array and in the values, or -1."""
    old = np.arange(int(np.prod(shape))).reshape(shape)
    own = np.arange(np.size(values)).reshape(np.shape(values))
    none = np.full(np.shape(values), -1)
    return np.insert(old, obj, none, axis), np.insert(np.full(shape, -1), obj, own, axis)


def insert_adjoint(g: Any, arr: Any, obj: Any, values: Any, axis: int | None, own: bool) -> Any:
    """The adjoint of `arr` or, if `own`, of `values`, when `g` is that of `np.insert`."""
    places = insertion(np.shape(arr), obj, values, axis)[own]
    like = values if own else arr
    result = np.zeros(np.size(like), dtype_of_adjoint(g, like))
    here = places >= 0
    np.add.at(result, places[here], as_dtype(np.asarray(g)[here], result.dtype))
    return np.reshape(result, np.shape(like))


def trim_adjoint(g: Any, filt: Any, trim: str, axis: Any = None, x: Any = None) -> Any:
    """The adjoint of `filt`, or of another `x`, when `g` is that of the part of it that
    `np.trim_zeros(filt, trim, axis)` is of `filt`.
    """
    result = np.zeros(np.shape(filt), dtype_of_adjoint(g, filt if x is None else x))
    result[_kept(g, np.asarray(filt), trim, axis)] = g
    return result


def trimmed(x: Any, like: Any, filt: Any, trim: str, axis: Any = None) -> Any:
    """The part of `x` that `np.trim_zeros(filt, trim, axis)`, like `like`, is of `filt`."""
    return np.array(x[_kept(like, np.asarray(filt), trim, axis)])


def _kept(like: Any, filt: Any, trim: str, axis: Any) -> tuple[slice, ...]:
    """Where in `filt` what is left of it lies."""
    places = np.argwhere(filt)
    starts = np.zeros(filt.ndim, int)
    if len(places) and "f" in trim.lower():
        starts = places.min(axis=0)
    if axis is not None:
        along = np.isin(np.arange(filt.ndim), np.asarray(axis) % filt.ndim)
        starts = np.where(along, starts, 0)
    return tuple(slice(int(k), int(k) + n) for k, n in zip(starts, np.shape(like)))


def block_adjoint(g: Any, arrays: Any) -> Any:
    """The adjoints of nested lists of arrays when `g` is that of `np.block(arrays)`."""
    depth = _depth(arrays)
    rank = max(depth, *(np.ndim(leaf) for leaf in _leaves(arrays)))
    return _taken(np.reshape(g, (1,) * (rank - np.ndim(g)) + np.shape(g)), arrays, rank, depth)


def _depth(arrays: Any) -> int:
    return 1 + _depth(arrays[0]) if isinstance(arrays, (list, tuple)) else 0


def _leaves(arrays: Any) -> list[Any]:
    if isinstance(arrays, (list, tuple)):
        return [leaf for item in arrays for leaf in _leaves(item)]
    return [arrays]


def _shape(arrays: Any, rank: int, depth: int) -> list[int]:
    """The shape of a block, padded with ones in front."""
    if not isinstance(arrays, (list, tuple)):
        return [1] * (rank - np.ndim(arrays)) + list(np.shape(arrays))
    shapes = [_shape(item, rank, depth - 1) for item in arrays]
    whole = list(shapes[0])
    whole[rank - depth] = sum(shape[rank - depth] for shape in shapes)
    return whole


def _taken(g: Any, arrays: Any, rank: int, depth: int) -> Any:
    if not isinstance(arrays, (list, tuple)):
        return unbroadcast(g, arrays)
    axis = rank - depth
    before: tuple[slice, ...] = (slice(None),) * axis
    parts, start = [], 0
    for item in arrays:
        size = _shape(item, rank, depth - 1)[axis]
        piece = g[before + (slice(start, start + size),)]
        parts.append(_taken(piece, item, rank, depth - 1))
        start += size
    return as_tuple(arrays, parts) if isinstance(arrays, tuple) else parts

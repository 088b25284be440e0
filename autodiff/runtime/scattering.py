"""Adjoints of reading a part: the part's adjoint, put where the part was, in zeros."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.runtime.broadcasting import dtype_of_adjoint, unbroadcast
from autodiff.runtime.structure import accumulate, as_tuple, zeros_like


def scatter(g: Any, like: Any, at: Any) -> Any:
    """The adjoint of `like` when `g` is the adjoint of `like[at]`; an item read twice counts twice.

    >>> scatter(np.array([1.0, 2.0, 3.0]), like=np.zeros(4), at=[0, 2, 2])
    array([1., 0., 5., 0.])
    """
    if isinstance(like, np.ndarray) and like.dtype.kind != "O":
        zeros = np.zeros(like.shape, dtype_of_adjoint(g, like))
        if np.iscomplexobj(g) and zeros.dtype.kind != "c":
            g = np.real(g)
        add_at(zeros, at, g)
        return zeros
    if isinstance(like, tuple):
        return as_tuple(like, scatter(g, list(like), at))
    if isinstance(like, np.generic):  # `w[None]`, `w[...]`
        return scatter(g, np.asarray(like), at)[()]
    zeros = zeros_like(like)
    if isinstance(at, slice):
        for k, item in zip(range(*at.indices(len(like))), g):
            zeros[k] = accumulate(zeros[k], item)
    else:
        zeros[at] = accumulate(zeros[at], g)
    return zeros


def add_at(x: Any, at: Any, g: Any) -> None:
    """`x[at] += g`, in which an index that occurs twice is added to twice."""
    if repeats(at):
        np.add.at(x, at, g)
    else:
        x[at] += g


def repeats(at: Any) -> bool:
    """Whether the index may name an element twice: it holds integers that are not single."""
    for part in at if isinstance(at, tuple) else (at,):
        if isinstance(part, (list, tuple)):
            part = np.asarray(part)
        if isinstance(part, np.ndarray) and part.ndim and part.dtype.kind in "iu":
            return True
    return False


def stored(g: Any, at: Any) -> Any:
    """The adjoint of `v` in `x[at] = v`, `g` being that of `x`: zero where `v` was overwritten.

    Which of the values that go to the same element stays is for NumPy to say: it is asked.

    >>> stored(np.array([1.0, 2.0, 3.0]), at=[0, 2, 2])
    array([1., 0., 3.])
    """
    taken = g[at]
    if not repeats(at):
        return np.array(taken)
    order = np.arange(taken.size).reshape(taken.shape)
    last = np.empty(g.shape, dtype=order.dtype)
    last[at] = order
    return np.where(last[at] == order, taken, np.zeros((), taken.dtype))


def placed(g: Any, like: Any, at: Any) -> Any:
    """`g` stored at an index of zeros like `like`: the adjoint of `like` in `stored(like, at)`.

    >>> placed(np.array([1.0, 2.0, 3.0]), np.zeros(3), at=[0, 2, 2])
    array([1., 0., 3.])
    """
    zeros = np.zeros(np.shape(like), dtype_of_adjoint(g, like))
    zeros[at] = g
    return zeros


def scatter_along(g: Any, like: Any, indices: Any, axis: int | None) -> Any:
    """The adjoint of `like` when `g` is that of `np.take_along_axis(like, indices, axis)`."""
    shape = np.shape(like)
    if axis is None:
        return np.reshape(scatter(g, np.ravel(like), at=np.ravel(indices)), shape)
    indices = np.asarray(indices)
    zeros = np.zeros(shape, dtype_of_adjoint(g, like))
    if len(shape) == 1:
        np.add.at(zeros, indices, g)
        return zeros
    axis %= len(shape)
    places: list[Any] = [indices] * len(shape)
    for k, size in enumerate(indices.shape):
        if k != axis:
            along = np.arange(shape[k] if size == 1 else size)
            places[k] = along.reshape(-1, *(1,) * (len(shape) - 1 - k))
    np.add.at(zeros, tuple(places), g)
    return zeros


def unsorted(g: Any, order: Any, axis: int) -> Any:
    """The array of which `g` is `np.take_along_axis(array, order, axis)`, a permutation.

    >>> unsorted(np.array([1.0, 2.0, 3.0]), np.array([2, 0, 1]), 0)
    array([2., 3., 1.])
    """
    result = np.empty_like(g)
    if result.ndim == 1:
        result[order] = g
    else:
        np.put_along_axis(result, order, g, axis)
    return result


def joined(parts: Any, like: Any, axis: int) -> Any:
    """The whole that the arrays `parts`, as `split` gives them, were joined to: shaped `like`."""
    shape = list(np.shape(like))
    shape[axis] = -1
    whole = np.concatenate([np.reshape(part, shape) for part in parts], axis)
    return np.asarray(whole, np.result_type(whole, like))


def unsplit(parts: Any, like: Any, at: Any, axis: int) -> Any:
    """The adjoint of `like` when `parts` are those of `np.split(like, at, axis)`.

    Parts overlap where places go down: `np.split(x, [4, 2])` is `x[:4]`, `x[4:2]` and `x[2:]`. Each
    step down is taken up again by another part, so the parts together are longer than the whole.

    >>> unsplit([np.ones(4), np.ones(0), np.ones(4)], np.zeros(6), [4, 2], 0)
    array([1., 1., 2., 2., 1., 1.])
    """
    whole = np.concatenate(parts, axis=axis)
    if whole.shape == np.shape(like):
        return whole
    total = np.zeros(np.shape(like), whole.dtype)
    rows = np.moveaxis(total, axis, 0)
    for part, first, last in zip(parts, [None, *at], [*at, None]):
        rows[first:last] += np.moveaxis(part, axis, 0)
    return total


def split(g: Any, like: Any, axis: int) -> Any:
    """The adjoints of the arrays `like` that were joined along `axis`, `g` being that of the whole.

    Works for every way of joining (concatenate, stack, vstack, column_stack ...): a joined array
    takes as much of the axis as its size says. The result is a list or tuple like `like`; an array,
    whose rows were joined, gives an array.
    """
    shape = g.shape
    cross = max(1, g.size // max(1, shape[axis]))
    before: tuple[slice, ...] = (slice(None),) * (axis % g.ndim)
    pieces = []
    start = 0
    for part in like:
        if part.__class__ is np.ndarray and part.ndim == g.ndim and part.dtype == g.dtype:
            size = part.shape[axis]
            pieces.append(g[before + (slice(start, start + size),)])
            start += size
            continue
        size = np.shape(part)[axis] if np.ndim(part) == g.ndim else np.size(part) // cross
        piece = g[before + (slice(start, start + size),)].reshape(np.shape(part))
        start += size
        if np.iscomplexobj(piece) and not np.iscomplexobj(part):
            piece = piece.real
        if isinstance(part, (list, tuple)):
            pieces.append(unbroadcast(piece, like=part))
            continue
        dtype = dtype_of_adjoint(g, part)
        piece = piece if piece.dtype == dtype else piece.astype(dtype)
        pieces.append(piece if part.__class__ is np.ndarray else piece[()])
    if isinstance(like, np.ndarray):
        return np.reshape(pieces, like.shape)
    return as_tuple(like, pieces) if isinstance(like, tuple) else pieces

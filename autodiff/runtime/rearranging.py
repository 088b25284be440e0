"""Adjoints of functions that copy elements to other places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autodiff.errors import NonDifferentiableError
from autodiff.runtime.broadcasting import dtype_of_adjoint, fit
from autodiff.runtime.structure import sequence


def scatter_flat(g: Any, like: Any, at: Any) -> Any:
    """The adjoint of `like` when `g` is that of `np.ravel(like)[at]`.

    >>> scatter_flat(np.array([1.0, 2.0, 3.0]), like=np.zeros((2, 2)), at=np.array([0, 3, 3]))
    array([[1., 0.],
           [0., 5.]])
    """
    zeros = np.zeros(np.size(like), dtype_of_adjoint(g, like))
    np.add.at(zeros, np.ravel(at), np.ravel(g).astype(zeros.dtype, copy=False))
    return zeros.reshape(np.shape(like))


def scatter_diagonal(g: Any, like: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """The adjoint of `like` when `g` is that of `np.diagonal(like, offset, axis1, axis2)`."""
    zeros = np.zeros(np.shape(like), dtype_of_adjoint(g, like))
    ends = np.moveaxis(zeros, (axis1, axis2), (-2, -1))
    rows = np.arange(max(0, min(ends.shape[-2] + min(offset, 0), ends.shape[-1] - max(offset, 0))))
    ends[..., rows - min(offset, 0), rows + max(offset, 0)] = g
    return zeros


def inverse_permutation(axes: Sequence[int]) -> tuple[int, ...]:
    """The axes by which `np.transpose` undoes a transposition by `axes`."""
    return tuple(int(k) for k in np.argsort([axis % len(axes) for axis in axes]))


def memory_order(x: Any, order: str | None) -> str:
    """The order, C or F, that "A" or "K" means for `x`; NumPy takes small letters, too."""
    order = "C" if order is None else order.upper()
    if order in ("C", "F"):
        return order
    flags = np.asarray(x).flags
    if order == "A" or flags.c_contiguous or flags.f_contiguous:
        return "F" if flags.fnc else "C"
    raise NonDifferentiableError(
        "order='K' of an array that is not contiguous has no derivative rule", cure="say order='C'"
    )


def tile_adjoint(g: Any, like: Any, reps: Any) -> Any:
    """The adjoint of `like` when `g` is that of `np.tile(like, reps)`."""
    reps = tuple(np.atleast_1d(reps))
    shape = np.shape(like)
    rank = max(len(reps), len(shape))
    reps = (1,) * (rank - len(reps)) + reps
    shape = (1,) * (rank - len(shape)) + shape
    parts = [length for pair in zip(reps, shape) for length in pair]
    summed = np.sum(np.reshape(g, parts), axis=tuple(range(0, 2 * rank, 2)))
    return np.reshape(summed, np.shape(like))


def repeat_adjoint(g: Any, like: Any, repeats: Any, axis: int | None) -> Any:
    """The adjoint of `like` when `g` is that of `np.repeat(like, repeats, axis)`."""
    shape = np.shape(like)
    if axis is None:
        return repeat_adjoint(g, np.ravel(like), repeats, 0).reshape(shape)
    axis %= len(shape)
    if np.size(repeats) == 1:
        count = int(np.ravel(repeats)[0])
        return g.reshape(*shape[: axis + 1], count, *shape[axis + 1 :]).sum(axis=axis + 1)
    places = np.repeat(np.arange(shape[axis]), repeats)
    zeros = np.zeros(shape, dtype_of_adjoint(g, like))
    np.add.at(np.moveaxis(zeros, axis, 0), places, np.moveaxis(g, axis, 0))
    return zeros


def meshgrid_adjoint(g: Any, k: int, xi: Sequence[Any], indexing: str) -> Any:
    """The adjoint of `xi[k]` when `g` are those of `np.meshgrid(*xi, indexing=indexing)`."""
    axis = 1 - k if indexing == "xy" and k < 2 and len(xi) > 1 else k
    over = tuple(other for other in range(len(xi)) if other != axis)
    return np.sum(g[k], axis=over).reshape(np.shape(xi[k]))


def select_adjoint(g: Any, k: int, condlist: Sequence[Any], choicelist: Sequence[Any]) -> Any:
    """The adjoint of `choicelist[k]` in `np.select`: read where its condition is first."""
    return _as_part(np.where(first_of(k, condlist), g, 0), choicelist[k])


def select_default_adjoint(g: Any, condlist: Sequence[Any], default: Any) -> Any:
    """The adjoint of the default in `np.select`: it is read where no condition holds."""
    return _as_part(np.where(none_of(condlist), g, 0), default)


def first_of(k: int, condlist: Sequence[Any]) -> Any:
    """Where condition number `k` is the first that holds."""
    return np.logical_and(condlist[k], none_of(condlist[:k]))


def none_of(condlist: Sequence[Any]) -> Any:
    """Where none of the conditions holds."""
    return ~np.any(np.broadcast_arrays(False, *condlist), axis=0)


def _as_part(g: Any, like: Any) -> Any:
    g = fit(g, np.shape(like))
    return g if np.iscomplexobj(like) else np.real(g)


def windows_adjoint(g: Any, x: Any, window_shape: Any, axis: Any) -> Any:
    """The adjoint of `x` when `g` is that of `sliding_window_view(x, window_shape, axis)`.

    >>> windows_adjoint(np.ones((2, 3)), np.zeros(4), 3, None)
    array([1., 2., 2., 1.])
    """
    sizes = [int(n) for n in np.atleast_1d(window_shape)]
    axes = range(np.ndim(x)) if axis is None else [int(k) % np.ndim(x) for k in np.atleast_1d(axis)]
    result = np.zeros(np.shape(x), dtype_of_adjoint(g, x))
    for offsets in np.ndindex(*sizes):  # as many additions as a window has elements
        part = [slice(None)] * np.ndim(x)
        window: Any = (..., *offsets)
        inner = g[window]
        for k, start in zip(axes, offsets):  # an axis may be named twice
            before = part[k].start or 0
            part[k] = slice(before + start, before + start + inner.shape[k])
        result[tuple(part)] += inner
    return result


def zip_rows(rows: Any) -> Any:
    """The rows, which stay these while the loop replaces them where they come from."""
    return list(rows)


def zip_length(rows: Any) -> int:
    """The length of the shortest of the rows; 0 if there are none."""
    return min(map(len, rows), default=0)


def zip_item(rows: Any, k: int) -> Any:
    """The items `k` of all rows, as a tuple."""
    return tuple([sequence(row)[k] for row in rows])

"""The order of stores: in which NumPy copies elements, and of those to one place."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from autodiff.runtime.copying import replica


def orderless(target: Any, source: Any) -> None:
    """Check that `target[...] = source` stores what `source` was before.

    NumPy copies first where the two overlap, except from one row of elements to another that goes
    the same way (`PyArray_AssignArray` of NumPy 1.13 to 2.4): there it copies in place, from the
    end that is right if both have the same step. With other steps it may read what it has just
    written.

    Raises:
        ValueError: it does.
    """
    if not (isinstance(target, np.ndarray) and isinstance(source, np.ndarray)):
        return
    if target.ndim != 1 or source.ndim == 0 or len(target) < 2 or source.shape[-1] < 2:
        return
    write, read = target.strides[0], source.strides[-1]
    if write == read or write * read <= 0 or not np.may_share_memory(target, source):
        return
    alike = target.dtype == source.dtype
    if _reads_written(target, source) if alike else np.shares_memory(target, source):
        raise ValueError(
            "the two sides of a store overlap with different steps, and its result depends on the "
            "order in which NumPy copies the elements; store a copy (`x[i] = x[j].copy()`)"
        )


def _reads_written(target: np.ndarray[Any, Any], source: np.ndarray[Any, Any]) -> bool:
    """Whether an element is read after it was written, in the order in which NumPy goes."""
    size = len(target)
    write, read = target.strides[0], source.strides[-1]
    ahead = int(source.__array_interface__["data"][0] - target.__array_interface__["data"][0])
    if write < 0:  # it always writes upwards ...
        ahead, write, read = ahead + (read - write) * (size - 1), -write, -read
    if ahead < 0 < ahead + size * read:  # ... but where it would overwrite what it reads next
        ahead, write, read = ahead + (read - write) * (size - 1), -write, -read
    turn = np.arange(size)
    writer, rest = np.divmod(ahead + turn * read, write)
    return bool(np.any((rest == 0) & (writer >= 0) & (writer < turn)))


def order_of(keys: list[Any], reverse: bool) -> Any:
    """The places of items in the order of their keys, as `sorted` puts them.

    >>> order_of([3, 1, 2, 1], False)
    array([1, 3, 2, 0])
    """
    return np.array(sorted(range(len(keys)), key=keys.__getitem__, reverse=reverse), "int64")


def reordered(function: Any, x: Any, *arguments: Any, **options: Any) -> Any:
    """Where the elements stood, counted without axes, that a function leaves in an array which it
    may overwrite: it puts them in another order, along its axis.

    >>> x = np.array([0.3, 0.1, 0.2])
    >>> x[reordered(np.median, x)]
    array([0.1, 0.2, 0.3])
    """
    after = replica(x)
    function(after, *arguments, **options, overwrite_input=True)
    bound = inspect.signature(function).bind(x, *arguments, **options)
    axes = bound.arguments.get("axis")
    axes = range(x.ndim) if axes is None else np.atleast_1d(axes)
    ends = range(-len(axes), 0)

    def lanes(values: Any) -> Any:
        moved = np.moveaxis(values, axes, ends)
        return moved.reshape(*moved.shape[: moved.ndim - len(axes)], -1)

    before, found = np.argsort(lanes(x), -1, "stable"), np.arange(x.size).reshape(x.shape)
    rows, places = lanes(found), np.empty_like(before)
    order = np.argsort(lanes(after), -1, "stable")
    np.put_along_axis(places, order, np.take_along_axis(rows, before, -1), -1)
    moved = np.moveaxis(found, axes, ends)
    moved[...] = places.reshape(moved.shape)
    return found


def turns(places: Any) -> Any:
    """How often the place of each of these stores has been written to before.

    >>> turns(np.array([3, 1, 3, 3, 1]))
    array([0, 0, 1, 2, 1])
    """
    order = np.argsort(places, kind="stable")
    grouped = places[order]
    found = np.empty_like(order)
    found[order] = np.arange(len(order)) - np.searchsorted(grouped, grouped)
    return found

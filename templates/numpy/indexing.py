"""Reading parts of arrays and containers."""

import operator

import numpy as np

from autodiff.rules import adjoint, d, linear, newer, nondifferentiable
from autodiff.runtime import (
    scatter,
    scatter_along,
    scatter_diagonal,
    scatter_flat,
    select_adjoint,
    select_default_adjoint,
    unbroadcast,
    unsorted,
    windows_adjoint,
)


@linear(operator.getitem)
def getitem(y, x, key):
    d[x] = scatter(d[y], like=x, at=key)


@linear(np.take)
def take(y, a, indices, axis=None, *, mode="raise"):
    size = np.size(a) if axis is None else np.shape(a)[axis]
    at = (
        np.asarray(indices)  # a tuple names an element of each axis
        if mode == "raise" and isinstance(indices, tuple)
        else indices
        if mode == "raise"
        else np.mod(indices, size)
        if mode == "wrap"
        else np.clip(indices, 0, size - 1)
    )
    d[a] = (
        scatter(d[y], like=np.asarray(a), at=at)
        if np.ndim(a) == 1
        else scatter_flat(d[y], like=np.asarray(a), at=at)
        if axis is None
        else scatter(d[y], like=np.asarray(a), at=(slice(None),) * (axis % np.ndim(a)) + (at,))
    )


@linear(np.take_along_axis)
def take_along_axis(y, arr, indices, axis=-1):
    rows = axis == 1 or axis == -1
    columns = axis == 0 or axis == -2
    d[arr] = (
        scatter(d[y], like=arr, at=(np.arange(np.shape(arr)[0])[:, None], indices))
        if np.ndim(arr) == 2 and rows
        else scatter(d[y], like=arr, at=(indices, np.arange(np.shape(arr)[1])))
        if np.ndim(arr) == 2 and columns
        else scatter_along(d[y], like=arr, indices=indices, axis=axis)
    )


@linear(np.delete)
def delete(y, arr, obj, axis=None):
    kept = np.delete(np.arange(np.size(arr) if axis is None else np.shape(arr)[axis]), obj)
    d[arr] = (
        scatter_flat(d[y], like=arr, at=kept)
        if axis is None
        else scatter(d[y], like=arr, at=(slice(None),) * (axis % np.ndim(arr)) + (kept,))
    )


@linear(np.compress)
def compress(y, condition, a, axis=None):
    kept = np.flatnonzero(condition)
    d[a] = (
        scatter_flat(d[y], like=a, at=kept)
        if axis is None
        else scatter(d[y], like=a, at=(slice(None),) * (axis % np.ndim(a)) + (kept,))
    )


@linear(np.extract)
def extract(y, condition, arr):
    d[arr] = scatter_flat(d[y], like=arr, at=np.flatnonzero(condition))


@linear(np.diagonal)
def diagonal(y, a, offset=0, axis1=0, axis2=1):
    d[a] = scatter_diagonal(d[y], like=a, offset=offset, axis1=axis1, axis2=axis2)


@linear(np.trace)
def trace(y, a, offset=0, axis1=0, axis2=1, dtype=None):
    d[a] = (
        d[y] * np.eye(np.shape(a)[0], np.shape(a)[1], offset, np.result_type(a))
        if np.ndim(a) == 2 and axis1 == 0 and axis2 == 1
        else scatter_diagonal(
            np.expand_dims(d[y], -1), like=a, offset=offset, axis1=axis1, axis2=axis2
        )
    )


@linear(newer.linalg.diagonal)
def stacked_diagonal(y, x, *, offset=0):
    d[x] = scatter_diagonal(d[y], like=x, offset=offset, axis1=-2, axis2=-1)


@linear(newer.linalg.trace)
def stacked_trace(y, x, *, offset=0, dtype=None):
    d[x] = scatter_diagonal(np.expand_dims(d[y], -1), like=x, offset=offset, axis1=-2, axis2=-1)


@linear(np.diag)
def diag(y, v, k=0):
    d[v] = np.diagonal(d[y], k) if np.ndim(v) == 1 else scatter_diagonal(d[y], like=v, offset=k)


@linear(np.diagflat)
def diagflat(y, v, k=0):
    d[v] = np.reshape(np.diagonal(d[y], k), np.shape(v))


@linear(np.tril)
def tril(y, m, k=0):
    d[m] = unbroadcast(np.tril(d[y], k), like=m)


@linear(np.triu)
def triu(y, m, k=0):
    d[m] = unbroadcast(np.triu(d[y], k), like=m)


@linear(np.choose)
def choose(y, a, choices, *, mode="raise"):
    chosen = (
        a
        if mode == "raise"
        else np.mod(a, len(choices))
        if mode == "wrap"
        else np.clip(a, 0, len(choices) - 1)
    )
    d[choices] = [
        unbroadcast(np.where(np.equal(chosen, k), d[y], 0.0), like=choices[k])
        for k in range(len(choices))
    ]


@linear(np.select)
def select(y, condlist, choicelist, default=0):
    d[choicelist] = [select_adjoint(d[y], k, condlist, choicelist) for k in range(len(choicelist))]
    d[default] = select_default_adjoint(d[y], condlist, default)


@adjoint(np.sort)
def sort(y, a, axis=-1, kind=None, *, stable=None):
    """Equal elements keep the places that argsort gives them."""
    d[a] = (
        np.reshape(unsorted(d[y], np.argsort(a, axis=None), 0), np.shape(a))
        if axis is None
        else unsorted(d[y], np.argsort(a, axis), axis)
    )


@adjoint(np.sort_complex)
def sort_complex(y, a):
    g = d[y] if np.iscomplexobj(a) else np.real(d[y])
    d[a] = scatter_along(g, like=a, indices=np.argsort(a), axis=-1)


@adjoint(np.partition)
def partition(y, a, kth, axis=-1, kind="introselect"):
    """Equal elements keep the places that argpartition gives them."""
    d[a] = (
        np.reshape(unsorted(d[y], np.argpartition(a, kth, None), 0), np.shape(a))
        if axis is None
        else unsorted(d[y], np.argpartition(a, kth, axis), axis)
    )


@linear(np.bincount)
def bincount(y, x, weights=None, minlength=0):
    d[weights] = d[y][x]


@linear(np.lib.stride_tricks.sliding_window_view)
def sliding_window_view(y, x, window_shape, axis=None):
    d[x] = windows_adjoint(d[y], x, window_shape, axis)


nondifferentiable(
    *(np.argsort, np.argpartition, np.lexsort, np.searchsorted, np.digitize, np.argwhere),
    *(np.nonzero, np.flatnonzero, np.isin, np.tril_indices, np.triu_indices),
    *(np.tril_indices_from, np.triu_indices_from, np.diag_indices, np.diag_indices_from),
    *(np.unravel_index, np.ravel_multi_index, np.mask_indices),
)

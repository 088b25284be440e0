"""The product of a sparse matrix, and its parts: none of them ever becomes dense.

    y = product(data, rows, cols, x, size)        y[rows[k]] += data[k] * x[cols[k]]

The adjoint of `x` is a product again, with rows and columns exchanged, and that of `data` is looked
up where there is an entry, so that derivatives of any order are made of these two.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from autodiff.rules import d, foreign, multilinear, nondifferentiable
from autodiff.runtime import conj


def product(data: Any, rows: Any, cols: Any, x: Any, size: int) -> Any:
    """A sparse matrix of `size` rows, by its entries, times a vector or a matrix."""
    dtype = np.result_type(data, x)
    matrix = sparse.coo_array((data, (rows, cols)), shape=(size, len(x)))
    made = matrix @ np.asarray(x, dtype)
    return np.reshape(made, (size, *np.shape(x)[1:]))


def at_entries(g: Any, rows: Any, x: Any, cols: Any) -> Any:
    """The product of the rows of a matrix and those of another, where a sparse one has entries."""
    if np.ndim(g) == 1:
        return g[rows] * x[cols]
    return np.einsum("ij,ij->i", g[rows], x[cols])


foreign.add_axes_of({product: 3, at_entries: 1})


@multilinear(product)
def of_product(y, data, rows, cols, x, size):
    d[data] = at_entries(d[y], rows, conj(x), cols)
    d[x] = product(conj(data), cols, rows, d[y], len(x))


@multilinear(at_entries)
def of_entries(y, g, rows, x, cols):
    d[g] = product(d[y], rows, cols, conj(x), len(g))
    d[x] = product(d[y], cols, rows, conj(g), len(x))


@nondifferentiable
def noted(data: Any) -> int:
    """Notes whether something that SciPy leaves out, as it is 0, stays an entry."""
    if np.any(np.asarray(data) == 0):
        foreign.keep_zeros()
    return 0


@nondifferentiable
def rows_of(indptr: Any) -> Any:
    """The row of each entry of compressed rows."""
    return np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))


@nondifferentiable
def spans(starts: Any, counts: Any) -> Any:
    """Numbers from each of `starts` on, so many."""
    before = np.repeat(np.cumsum(counts) - counts, counts)
    return np.repeat(starts, counts) + np.arange(len(before)) - before


@nondifferentiable
def starts_of(rows: Any, size: int) -> Any:
    """Where each row starts among entries in the order of rows, and where the last ends."""
    return np.searchsorted(rows, np.arange(size + 1))


@nondifferentiable
def blocks_of(r: int, c: int, indptr: Any, indices: Any) -> Any:
    """The row and the column of each number in compressed rows of blocks."""
    up = rows_of(indptr)[:, None, None] * r + np.arange(r)[:, None]
    left = indices[: indptr[-1], None, None] * c + np.arange(c)
    whole = np.broadcast_shapes(up.shape, left.shape)
    return np.broadcast_to(up, whole).ravel(), np.broadcast_to(left, whole).ravel()


@nondifferentiable
def diagonals_of(m: int, n: int, count: int, length: int, offsets: Any) -> Any:
    """The place of each number of diagonals that is in the matrix, its row and its column."""
    cols = np.broadcast_to(np.arange(length), (count, length))
    rows = cols - np.asarray(offsets)[:, None]
    there = ((rows >= 0) & (rows < m) & (cols < n)).ravel()
    return np.flatnonzero(there), rows.ravel()[there], cols.ravel()[there]

"""SciPy's functions in C that move the data of a sparse matrix, or add up what comes to one place.

coo_tocsr(m, n, count, rows, cols, data, indptr, indices, moved)        moved[...] = data[order]
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

import numpy as np
from autodiff.templates.scipy.sparse.products import (
    blocks_of,
    diagonals_of,
    noted,
    rows_of,
    spans,
    starts_of,
)
from scipy.sparse import _sparsetools as tools

from autodiff.rules import nondifferentiable, registry
from autodiff.rules.taking import add_recipes


@nondifferentiable
def by(keys):
    """The order of entries by their keys; of equal ones the first stays the first."""
    return np.argsort(keys, kind="stable")


def sorted_into(m, rows, cols, data, indptr, indices, moved):
    """Entries in the order of their rows, written into compressed rows."""
    order = by(rows)
    indptr[...] = starts_of(rows[order], m)
    indices[...] = cols[order]
    moved[...] = data[order].reshape(moved.shape)


def csr_tocsc(m, n, indptr, indices, data, *after):
    count = indptr[-1]
    sorted_into(n, indices[:count], rows_of(indptr), data[:count], *after)


def csc_tocsr(m, n, indptr, indices, data, *after):
    csr_tocsc(n, m, indptr, indices, data, *after)


def coo_tocsr(m, n, count, rows, cols, data, *after):
    sorted_into(m, rows, cols, data, *after)


def bsr_tocsr(m, n, r, c, indptr, indices, data, *after):
    rows, cols = blocks_of(r, c, indptr, indices)
    sorted_into(m * r, rows, cols, data.reshape(-1)[: len(rows)], *after)


def bsr_transpose(m, n, r, c, indptr, indices, data, *after):
    count = indptr[-1]
    blocks = np.swapaxes(data.reshape(-1, r, c)[:count], 1, 2)
    sorted_into(n, indices[:count], rows_of(indptr), blocks, *after)


def dia_tocsr(m, n, count, length, offsets, diagonals, order, data, indices, indptr):
    """Also of what is 0, which may have a derivative; says how many entries there are."""
    places, rows, cols = diagonals_of(m, n, count, length, offsets[order])
    at = by(rows)
    indptr[...] = starts_of(rows[at], m)
    indices[: len(at)] = cols[at]
    data[: len(at)] = diagonals[order].reshape(-1)[places[at]]
    noted(data[: len(at)])
    return len(at)


@nondifferentiable
def entries_of(rows, indptr):
    """The places of the entries of some rows, one row after the other."""
    ends = np.asarray(indptr)
    return spans(ends[rows], ends[rows + 1] - ends[rows])


def csr_row_index(count, rows, indptr, indices, data, into, moved):
    at = entries_of(rows, indptr)
    into[...] = indices[at]
    moved[...] = data[at]


def csr_row_slice(start, stop, step, indptr, indices, data, into, moved):
    at = entries_of(np.arange(start, stop, step), indptr)
    into[...] = indices[at]
    moved[...] = data[at]


def csr_column_index2(order, ends, count, indices, data, into, moved):
    own = indices[:count]
    starts = np.append(0, ends[:-1])
    repeats = (ends - starts)[own]
    into[...] = order[spans(starts[own], repeats)]
    moved[...] = data[np.repeat(np.arange(count), repeats)]


def csr_hstack(count, m, widths, indptr, indices, data, into_ptr, into, moved):
    ends = np.reshape(indptr, (count, m + 1))
    rows = np.concatenate([rows_of(each) for each in ends])
    before = np.cumsum(widths) - widths
    cols = indices + np.repeat(before, ends[:, -1])
    sorted_into(m, rows, cols, data, into_ptr, into, moved)


def get_csr_submatrix(m, n, indptr, indices, data, top, bottom, left, right):
    rows, cols = rows_of(indptr), indices[: indptr[-1]]
    there = (rows >= top) & (rows < bottom) & (cols >= left) & (cols < right)
    at = np.flatnonzero(there)
    ends = starts_of(rows[at] - top, bottom - top).astype(indptr.dtype)
    return ends, cols[at] - left, data[at]


def csr_sort_indices(m, indptr, indices, data):
    count = indptr[-1]
    order = np.lexsort((indices[:count], rows_of(indptr)))
    indices[:count] = indices[order]
    data[:count] = data[order]


def bsr_sort_indices(m, n, r, c, indptr, indices, data):
    count = indptr[-1]
    order = np.lexsort((indices[:count], rows_of(indptr)))
    indices[:count] = indices[order]
    blocks = data.reshape(-1, r * c)
    blocks[:count] = blocks[order]


def csr_sum_duplicates(m, n, indptr, indices, data):
    """In each row, of neighbours with the same column the sum."""
    rows, cols = rows_of(indptr), indices[: indptr[-1]]
    keys = rows * n + cols
    first = np.append(True, keys[1:] != keys[:-1])[: len(keys)]
    made = np.zeros(np.sum(first), data.dtype)
    np.add.at(made, np.cumsum(first) - 1, data[: len(keys)])
    indices[: len(made)] = cols[first]
    indptr[...] = starts_of(rows[first], m)
    data[: len(made)] = made


def csr_eliminate_zeros(m, n, indptr, indices, data):
    """What is 0 stays an entry, as it may have a derivative."""
    noted(data[: indptr[-1]])


def csr_todense(m, n, indptr, indices, data, dense):
    np.add.at(dense, (rows_of(indptr), indices[: indptr[-1]]), data[: indptr[-1]])


def coo_todense(m, n, count, rows, cols, data, dense, fortran):
    np.add.at(dense, cols * m + rows if fortran else rows * n + cols, data)


def coo_todense_nd(strides, count, axes, coords, data, dense, fortran):
    np.add.at(dense, np.asarray(strides) @ np.reshape(coords, (axes, count)), data)


def csr_diagonal(k, m, n, indptr, indices, data, diagonal):
    rows, cols = rows_of(indptr), indices[: indptr[-1]]
    at = np.flatnonzero(cols - rows == k)
    diagonal[...] = 0
    np.add.at(diagonal, np.minimum(rows[at], cols[at]), data[at])


def csc_diagonal(k, m, n, indptr, indices, data, diagonal):
    csr_diagonal(-k, n, m, indptr, indices, data, diagonal)


def bsr_diagonal(k, m, n, r, c, indptr, indices, data, diagonal):
    rows, cols = blocks_of(r, c, indptr, indices)
    at = np.flatnonzero(cols - rows == k)
    diagonal[...] = 0
    np.add.at(diagonal, np.minimum(rows[at], cols[at]), data.reshape(-1)[at])


@nondifferentiable
def met_in_order(rows, cols, r, c, width):
    """The blocks of entries, in each row of blocks in the order in which they are met; of each
    entry the place in them.
    """
    keys, first, at = np.unique(
        (rows // r) * width + cols // c, return_index=True, return_inverse=True
    )
    order = np.lexsort((first, keys // width))
    block = np.argsort(order)[at.reshape(-1)]
    return *np.divmod(keys[order], width), (block * r + rows % r) * c + cols % c


def csr_tobsr(m, n, r, c, indptr, indices, data, into_ptr, into, blocks):
    rows, cols = rows_of(indptr), indices[: indptr[-1]]
    own, left, at = met_in_order(rows, cols, r, c, n // c)
    into_ptr[...] = starts_of(own, m // r)
    into[: len(left)] = left
    np.add.at(blocks.reshape(-1), at, data[: len(rows)])


def csr_scale_rows(m, n, indptr, indices, data, scale):
    data[: indptr[-1]] *= scale[rows_of(indptr)]


def csr_scale_columns(m, n, indptr, indices, data, scale):
    data[: indptr[-1]] *= scale[indices[: indptr[-1]]]


def bsr_scale_rows(m, n, r, c, indptr, indices, data, scale):
    rows, _ = blocks_of(r, c, indptr, indices)
    data[...] = data * scale[rows].reshape(data.shape)


def bsr_scale_columns(m, n, r, c, indptr, indices, data, scale):
    _, cols = blocks_of(r, c, indptr, indices)
    data[...] = data * scale[cols].reshape(data.shape)


WRITTEN = (
    *(
        csr_tocsc,
        csc_tocsr,
        coo_tocsr,
        bsr_tocsr,
        bsr_transpose,
        dia_tocsr,
        csr_row_index,
        csr_row_slice,
    ),
    *(csr_column_index2, csr_hstack, get_csr_submatrix, csr_sort_indices, bsr_sort_indices),
    *(csr_sum_duplicates, csr_eliminate_zeros, csr_todense, coo_todense, coo_todense_nd),
    *(csr_diagonal, csc_diagonal, bsr_diagonal, csr_tobsr, csr_scale_rows, csr_scale_columns),
    *(bsr_scale_rows, bsr_scale_columns),
)
registry.add_written(
    {getattr(tools, own.__name__): own for own in WRITTEN if hasattr(tools, own.__name__)}
)
add_recipes(__name__)

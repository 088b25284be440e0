"""SciPy's functions in C that multiply a sparse matrix with a vector, or with another matrix.

csr_matvec(m, n, indptr, indices, data, x, y)        y += product(data, rows, indices, x, m)
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

import numpy as np
from autodiff.templates.scipy.sparse.products import (
    blocks_of,
    diagonals_of,
    product,
    rows_of,
    spans,
    starts_of,
)
from scipy.sparse import _sparsetools as tools

from autodiff.rules import nondifferentiable, registry
from autodiff.rules.taking import add_recipes


def csr_matvec(m, n, indptr, indices, data, x, y):
    y += product(data[: indptr[-1]], rows_of(indptr), indices[: indptr[-1]], x, m).reshape(y.shape)


def csc_matvec(m, n, indptr, indices, data, x, y):
    y += product(data[: indptr[-1]], indices[: indptr[-1]], rows_of(indptr), x, m).reshape(y.shape)


def csr_matvecs(m, n, several, indptr, indices, data, x, y):
    right = x.reshape(n, several)
    made = product(data[: indptr[-1]], rows_of(indptr), indices[: indptr[-1]], right, m)
    y += made.reshape(y.shape)


def csc_matvecs(m, n, several, indptr, indices, data, x, y):
    right = x.reshape(n, several)
    made = product(data[: indptr[-1]], indices[: indptr[-1]], rows_of(indptr), right, m)
    y += made.reshape(y.shape)


def coo_matvec(count, rows, cols, data, x, y):
    y += product(data, rows, cols, x, len(y)).reshape(y.shape)


def coo_matmat_dense(count, several, rows, cols, data, x, y):
    right = x.reshape(-1, several)
    y += product(data, rows, cols, right, y.size // several).reshape(y.shape)


def bsr_matvec(m, n, r, c, indptr, indices, data, x, y):
    rows, cols = blocks_of(r, c, indptr, indices)
    y += product(data.reshape(-1)[: len(rows)], rows, cols, x, m * r).reshape(y.shape)


def bsr_matvecs(m, n, several, r, c, indptr, indices, data, x, y):
    rows, cols = blocks_of(r, c, indptr, indices)
    right = x.reshape(n * c, several)
    made = product(data.reshape(-1)[: len(rows)], rows, cols, right, m * r)
    y += made.reshape(y.shape)


def dia_matvec(m, n, count, length, offsets, data, x, y):
    places, rows, cols = diagonals_of(m, n, count, length, offsets)
    y += product(data.reshape(-1)[places], rows, cols, x, m).reshape(y.shape)


def dia_matvecs(m, n, count, length, offsets, data, several, x, y):
    places, rows, cols = diagonals_of(m, n, count, length, offsets)
    y += product(data.reshape(-1)[places], rows, cols, x.reshape(n, -1), m).reshape(y.shape)


@nondifferentiable
def structure_of(m, n, left_ptr, left_at, right_ptr, right_at):
    """Which entries of two matrices meet in their product, and where: in each row that place first
    which was met last.
    """
    own = left_at[: left_ptr[-1]]
    counts = np.diff(right_ptr)[own]
    one = np.repeat(np.arange(len(own)), counts)
    other = spans(np.asarray(right_ptr)[own], counts)
    keys, first, at = np.unique(
        rows_of(left_ptr)[one] * n + right_at[other], return_index=True, return_inverse=True
    )
    order = np.lexsort((-first, keys // n))
    rows, cols = np.divmod(keys[order], n)
    return one, other, np.argsort(order)[at.reshape(-1)], starts_of(rows, m), cols


def csr_matmat(m, n, left_ptr, left_at, left, right_ptr, right_at, right, indptr, indices, data):
    one, other, at, ends, cols = structure_of(m, n, left_ptr, left_at, right_ptr, right_at)
    indptr[...] = ends
    indices[...] = cols
    data[...] = 0
    np.add.at(data, at, left[one] * right[other])


def csc_matmat(m, n, left_ptr, left_at, left, right_ptr, right_at, right, *after):
    """The same of the transposed, until SciPy 1.16."""
    csr_matmat(n, m, right_ptr, right_at, right, left_ptr, left_at, left, *after)


def dia_matmat(m, n, count, length, offsets, data, width, count_2, length_2, offsets_2, data_2):
    """The diagonals of a product, by the columns: A[i, i + a] meets B[i + a, i + a + b]."""
    every = np.unique(np.add.outer(offsets, offsets_2))
    every = every[(every > -m) & (every < width)]
    made = np.zeros((len(every), width), np.result_type(data, data_2))
    for i in range(count):
        for j in range(count_2):
            at = np.flatnonzero(every == offsets[i] + offsets_2[j])
            first = max(0, offsets_2[j], offsets[i] + offsets_2[j])
            last = min(length + offsets_2[j], length_2, width, n + offsets_2[j])
            last = min(last, m + offsets[i] + offsets_2[j])
            if len(at) == 1 and first < last:
                other = data[i, first - offsets_2[j] : last - offsets_2[j]]
                made[at[0], first:last] += other * data_2[j, first:last]
    return every, made.reshape(-1)


WRITTEN = (
    *(csr_matvec, csc_matvec, csr_matvecs, csc_matvecs, coo_matvec, coo_matmat_dense, bsr_matvec),
    *(bsr_matvecs, dia_matvec, dia_matvecs, dia_matmat, csr_matmat, csc_matmat),
)
registry.add_written(
    {getattr(tools, own.__name__): own for own in WRITTEN if hasattr(tools, own.__name__)}
)
add_recipes(__name__)

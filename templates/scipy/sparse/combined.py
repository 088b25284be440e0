"""SciPy's functions in C that combine two sparse matrices entry by entry, or look up entries."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

import numpy as np
from autodiff.templates.scipy.sparse.products import noted, rows_of, starts_of
from scipy.sparse import _sparsetools as tools

from autodiff.rules import nondifferentiable, registry
from autodiff.rules.taking import add_recipes

OPERATORS = {
    "plus": np.add,
    "minus": np.subtract,
    "elmul": np.multiply,
    "eldiv": np.divide,
    "maximum": np.maximum,
    "minimum": np.minimum,
}


@nondifferentiable
def keys_of(indptr, indices, width):
    """A number for the place of each entry of compressed rows."""
    return rows_of(indptr) * width + indices[: indptr[-1]]


def summed(data, own, keys):
    """The sums of data with the same key, for each of these keys, in order."""
    made = np.zeros((len(keys), *data.shape[1:]), data.dtype)
    there = np.flatnonzero(np.isin(own, keys))
    np.add.at(made, np.searchsorted(keys, own[there]), data[there])
    return made


@nondifferentiable
def places_of(operator, first, second):
    """The keys of the result: of all entries, or of those that both have."""
    meets = operator is np.multiply
    return np.intersect1d(first, second) if meets else np.union1d(first, second)


def entries_of(operator, m, n, size, left_ptr, left_at, left, right_ptr, right_at, right):
    """Compressed rows of what an operator gives, of blocks of a size. Also what is 0 is an entry,
    as it may have a derivative.
    """
    first, second = keys_of(left_ptr, left_at, n), keys_of(right_ptr, right_at, n)
    keys = places_of(operator, first, second)
    one = summed(left.reshape(-1, size), first, keys)
    found = operator(one, summed(right.reshape(-1, size), second, keys))
    noted(found)
    rows, cols = np.divmod(keys, n)
    return starts_of(rows, m), cols, found


def entrywise(operator):
    """What stands for a function that combines compressed rows."""

    def made(m, n, left_ptr, left_at, left, right_ptr, right_at, right, indptr, indices, data):
        given = left_ptr, left_at, left, right_ptr, right_at, right
        ends, cols, found = entries_of(operator, m, n, 1, *given)
        indptr[...] = ends
        indices[: len(cols)] = cols
        data[: len(cols)] = found[:, 0]

    return made


def entrywise_by_columns(operator):
    """The same for columns, until SciPy 1.16."""
    by_rows = entrywise(operator)

    def made(m, n, *given):
        by_rows(n, m, *given)

    return made


def entrywise_in_blocks(operator):
    """The same for rows of blocks."""

    def made(m, n, r, c, left_ptr, left_at, left, right_ptr, right_at, right, *after):
        given = left_ptr, left_at, left, right_ptr, right_at, right
        ends, cols, found = entries_of(operator, m, n, r * c, *given)
        indptr, indices, data = after
        indptr[...] = ends
        indices[: len(cols)] = cols
        blocks = data.reshape(-1, r * c)
        blocks[: len(cols)] = found

    return made


def csr_sample_values(m, n, indptr, indices, data, count, rows, cols, values):
    own = keys_of(indptr, indices, n)
    keys = np.where(rows < 0, rows + m, rows) * n + np.where(cols < 0, cols + n, cols)
    there = np.unique(own)
    if len(there) == 0:
        values[...] = 0
        return
    at = np.minimum(np.searchsorted(there, keys), len(there) - 1)
    values[...] = np.where(there[at] == keys, summed(data, own, there)[at], 0)


registry.add_written({tools.csr_sample_values: csr_sample_values})
FORMS = {"csr": entrywise, "csc": entrywise_by_columns, "bsr": entrywise_in_blocks}
registry.add_written(
    {
        getattr(tools, f"{form}_{word}_{form}"): made(own)
        for form, made in FORMS.items()
        for word, own in OPERATORS.items()
        if hasattr(tools, f"{form}_{word}_{form}")
    }
)
add_recipes(__name__)

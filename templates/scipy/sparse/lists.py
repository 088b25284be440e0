"""How sparse matrices are filled: by lists of lists (`lil_array`), which SciPy has in Cython, by
dicts, and from dense arrays.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

from bisect import bisect_left

import numpy as np
from autodiff.templates.scipy.sparse.products import noted
from scipy.sparse import _csparsetools as tools
from scipy.sparse import coo_array, coo_matrix, spmatrix
from scipy.sparse._dok import _dok_base

from autodiff.rules import registry
from autodiff.rules.taking import add_recipes


def lil_get1(m, n, rows, datas, i, j):
    i, j = i + m if i < 0 else i, j + n if j < 0 else j
    if not (0 <= i < m and 0 <= j < n):
        raise IndexError("index out of bounds")
    own = rows[i]
    at = bisect_left(own, j)
    return datas[i][at] if at < len(own) and own[at] == j else 0.0


def lil_insert(m, n, rows, datas, i, j, x):
    i, j = i + m if i < 0 else i, j + n if j < 0 else j
    if not (0 <= i < m and 0 <= j < n):
        raise IndexError("index out of bounds")
    own, data = rows[i], datas[i]
    at = bisect_left(own, j)
    if at < len(own) and own[at] == j:
        data[at] = x
    else:  # also what is 0, which may have a derivative
        noted(x)
        own.insert(at, j)
        data.insert(at, x)


def lil_fancy_get(m, n, rows, datas, into, moved, i, j):
    for a in range(i.shape[0]):
        own, data = [], []
        for b in range(i.shape[1]):
            row, col = int(i[a, b]) % m, int(j[a, b]) % n
            if col in rows[row]:
                own.append(b)
                data.append(lil_get1(m, n, rows, datas, row, col))
        into[a] = own
        moved[a] = data


def lil_fancy_set(m, n, rows, datas, i, j, values):
    for a in range(i.shape[0]):
        for b in range(i.shape[1]):
            lil_insert(m, n, rows, datas, int(i[a, b]), int(j[a, b]), values[a, b])


def lil_get_row_ranges(m, n, rows, datas, into, moved, chosen, first, last, step, width):
    ends = range(first, last, step)
    for k in range(len(chosen)):
        own, data = rows[chosen[k]], datas[chosen[k]]
        pairs = [(ends.index(own[a]), data[a]) for a in range(len(own)) if own[a] in ends]
        pairs.sort(key=lambda pair: pair[0])
        into[k] = [pair[0] for pair in pairs]
        moved[k] = [pair[1] for pair in pairs]


def lil_get_lengths(items, into):
    for k in range(len(items)):
        into[k] = len(items[k])


def lil_flatten_to_array(items, into):
    at = 0
    for own in items:
        for value in own:
            into[at] = value
            at += 1


def set_one(self, row, col, x):
    noted(x)
    self._dict[row, col] = x


def set_several(self, row, col, x):
    noted(x)
    keys = zip(map(int, row.ravel()), map(int, col.ravel()))
    self._dict.update(zip(keys, x.ravel()))


def entries_of(cls):
    """What stands for a class whose objects are made of dense arrays without what is 0: it stays,
    as it may have a derivative.
    """

    def made(arg1, shape=None, dtype=None, copy=False, **more):
        own = object.__new__(cls)
        if isinstance(arg1, (np.ndarray, list)):
            dense = np.array(arg1)
            if dense.ndim < 2 and issubclass(cls, spmatrix):
                dense = np.atleast_2d(dense)
            noted(dense)
            places = np.indices(dense.shape).reshape(dense.ndim, -1)
            arg1, shape = (dense.ravel(), tuple(places)), dense.shape
        cls.__init__(own, arg1, shape=shape, dtype=dtype, copy=copy, **more)
        return own

    return made


WRITTEN = (
    *(lil_get1, lil_insert, lil_fancy_get, lil_fancy_set, lil_get_row_ranges, lil_get_lengths),
    lil_flatten_to_array,
)
registry.add_written({getattr(tools, own.__name__): own for own in WRITTEN})
registry.add_written({_dok_base._set_intXint: set_one, _dok_base._set_arrayXarray: set_several})
registry.add_written({cls: entries_of(cls) for cls in (coo_array, coo_matrix)})
add_recipes(__name__)

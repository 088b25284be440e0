"""SciPy's functions in C that solve sparse linear systems."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

import numpy as np
from autodiff.templates.scipy.sparse.solved import (
    factored,
    factors_of,
    solution,
    solved_by,
    triangular,
)
from scipy.sparse.linalg import SuperLU
from scipy.sparse.linalg._dsolve import _superlu

from autodiff.rules import foreign, registry
from autodiff.rules.taking import add_recipes, refused


class Factors:
    """What stands for the factors of a matrix of which the data carry a derivative."""

    def __init__(self, lu, data, indices, indptr):
        self.lu, self.data = lu, data
        self.indices, self.indptr = indices, indptr

    @property
    def shape(self):
        return self.lu.shape

    @property
    def nnz(self):
        return self.lu.nnz

    @property
    def perm_r(self):
        return self.lu.perm_r

    @property
    def perm_c(self):
        return self.lu.perm_c

    def __getattr__(self, name):
        refused(f"{name} of sparse factors", "it has no rule", "solve with them")

    def solve(self, rhs, trans="N"):
        if trans == "H":
            return np.conj(self.solve(np.conj(rhs), "T"))
        return factored(self.data, self.indices, self.indptr, rhs, trans, self.lu)


def gssv(n, count, data, indices, indptr, b, flag, options=None):
    return solution(data, indices, indptr, b, flag, repr(options)), 0


def gstrf(n, count, data, indices, indptr, csc_construct_func=None, ilu=False, options=None):
    if ilu:
        raise NotImplementedError("spilu has no derivative of the matrix: use splu")
    data, indices, indptr = map(np.array, (data, indices, indptr))  # which may change later
    return Factors(factors_of(n, data, indices, indptr, ilu, repr(options)), data, indices, indptr)


def gstrs(trans, n, count, lower, lower_at, lower_ptr, size, entries, upper, at, ptr, b):
    return triangular(trans, lower, lower_at, lower_ptr, upper, at, ptr, b), 0


def solve(self, rhs, trans="N"):
    return solved_by(self, rhs, trans)


registry.add_written(
    {_superlu.gssv: gssv, _superlu.gstrf: gstrf, _superlu.gstrs: gstrs, SuperLU.solve: solve}
)
foreign.add_handles((SuperLU,))
add_recipes(__name__)

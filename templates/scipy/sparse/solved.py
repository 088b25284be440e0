"""Sparse linear systems, by SuperLU: the adjoint solves with the same matrix, transposed."""

from __future__ import annotations

from ast import literal_eval
from typing import Any

import numpy as np
from autodiff.templates.scipy.sparse.products import at_entries, product, rows_of
from scipy import sparse
from scipy.sparse.linalg import SuperLU
from scipy.sparse.linalg._dsolve import _superlu

from autodiff.rules import adjoint, d, foreign, nondifferentiable
from autodiff.runtime import conj


def cint(*indices: Any) -> list[Any]:
    """Indices as SuperLU takes them."""
    return [np.asarray(own, np.intc) for own in indices]


def solution(data: Any, indices: Any, indptr: Any, b: Any, by_columns: int, options: Any) -> Any:
    """What solves a system, as SuperLU orders its axes; NaN where the matrix is singular."""
    own, n = np.result_type(data, b), len(indptr) - 1
    whole = sparse.csc_array((data, indices, indptr), shape=(n, n), dtype=own)
    whole.check_format(full_check=True)  # a wrong structure is a crash in C
    given = whole.data, *cint(indices, indptr), np.asarray(b, own)
    x, info = _superlu.gssv(n, whole.nnz, *given, by_columns, options=literal_eval(options))
    return np.full_like(x, np.nan) if info else x


def factored(data: Any, indices: Any, indptr: Any, b: Any, trans: str, lu: SuperLU) -> Any:
    """What solves a system of which the factors are known, those of these data by columns."""
    return lu.solve(np.asarray(b, np.result_type(data, b)), trans)


def triangular(
    trans: str, lower: Any, lower_at: Any, lower_ptr: Any, upper: Any, at: Any, ptr: Any, b: Any
) -> Any:
    """What solves a system with the product of a lower and an upper triangular matrix, of which
    both diagonals are 1: the first is told with it, the second without.
    """
    given: list[Any] = []
    for data, indices, indptr in ((lower, lower_at, lower_ptr), (upper, at, ptr)):
        size = len(indptr) - 1
        whole = sparse.csc_array((data, indices, indptr), shape=(size, size))
        whole.check_format(full_check=True)  # a wrong structure is a crash in C
        given += [size, whole.nnz, data, *cint(indices, indptr)]
    x, info = _superlu.gstrs(trans, *given, b)
    return np.full_like(x, np.nan) if info else x


def solved_by(lu: SuperLU, rhs: Any, trans: str = "N") -> Any:
    """What solves a system with factors that carry no derivative."""
    return lu.solve(rhs, trans)


@nondifferentiable
def places(indices: Any, indptr: Any, by_columns: int) -> Any:
    """The row and the column of each entry."""
    own = rows_of(indptr)
    return (indices, own) if by_columns else (own, indices)


@nondifferentiable
def factors_of(n, data, indices, indptr, ilu, options):
    """The factors themselves."""
    whole = sparse.csc_array((data, indices, indptr), shape=(n, n))
    whole.check_format(full_check=True)  # a wrong structure is a crash in C
    given = n, whole.nnz, data, *cint(indices, indptr)
    return _superlu.gstrf(*given, csc_construct_func=sparse.csc_array, ilu=ilu, options=options)


foreign.add_axes_of({solution: 3, factored: 3, solved_by: 1, triangular: 7})


@adjoint(solution, linear_in=("b",))
def of_solution(x, data, indices, indptr, b, by_columns, options):
    lam = solution(conj(data), indices, indptr, d[x], 1 - by_columns, options)
    at = places(indices, indptr, by_columns)
    d[b] = lam
    d[data] = -at_entries(lam, at[0], conj(x), at[1])


@adjoint(factored, linear_in=("b",))
def of_factored(x, data, indices, indptr, b, trans, lu):
    lam = conj(factored(data, indices, indptr, conj(d[x]), opposite(trans), lu))
    at = places(indices, indptr, 1)
    d[b] = lam
    d[data] = -(
        at_entries(lam, at[0], conj(x), at[1])
        if trans == "N"
        else at_entries(conj(x), at[0], lam, at[1])
    )


@adjoint(triangular, linear_in=("b",))
def of_triangular(x, trans, lower, lower_at, lower_ptr, upper, at, ptr, b):
    lam = conj(triangular(opposite(trans), lower, lower_at, lower_ptr, upper, at, ptr, conj(d[x])))
    rows = rows_of(lower_ptr)
    cols = rows_of(ptr)
    y = conj(x)
    d[b] = lam
    d[lower] = -(
        at_entries(lam, lower_at, y + product(conj(upper), at, cols, y, len(b)), rows)
        if trans == "N"
        else at_entries(y, lower_at, lam + product(conj(upper), at, cols, lam, len(b)), rows)
    )
    d[upper] = -(
        at_entries(product(conj(lower), rows, lower_at, lam, len(b)), at, y, cols)
        if trans == "N"
        else at_entries(product(conj(lower), rows, lower_at, y, len(b)), at, lam, cols)
    )


@adjoint(solved_by, linear_in=("rhs",))
def of_solved_by(x, lu, rhs, trans="N"):
    d[rhs] = conj(solved_by(lu, conj(d[x]), opposite(trans)))


@nondifferentiable
def opposite(trans: str) -> str:
    """How the adjoint solves, for conjugated vectors."""
    return {"N": "T", "T": "N"}[trans]

"""Krylov's methods: what they come to solves the system, so its derivative solves the transposed.

    x, info = gmres(A, b, rtol=1e-8)        b_bar = gmres(A.T, x_bar, rtol=1e-8)

As exact as the tolerance that the call asks for.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

import warnings
from ast import literal_eval

import numpy as np
from autodiff.templates.scipy.sparse.products import at_entries
from scipy.sparse import block_array, coo_array, csr_array, eye_array, issparse, linalg

from autodiff.rules import adjoint, d, foreign, nondifferentiable
from autodiff.runtime import conj

SOLVERS = ("bicg", "bicgstab", "cg", "cgs", "gcrotmk", "gmres", "lgmres", "minres", "qmr", "tfqmr")


def iterated(data, rows, cols, b, solver, options):
    """What a method comes to for a matrix of these entries; NaN where it does not converge."""
    found, info = ended(data, rows, cols, b, solver, options)
    return np.full_like(found, np.nan) if info else found


def found_by(found, data, rows, cols, b, solver, options):
    """`found`, which is what it came to."""
    return found * 1.0  # new memory


foreign.add_axes_of({iterated: 3, found_by: 0})


@adjoint(iterated, linear_in=("b",))
def of_iterated(x, data, rows, cols, b, solver, options):
    lam = iterated(conj(data), cols, rows, d[x], solver, options)
    d[b] = lam
    d[data] = -at_entries(lam, rows, conj(x), cols)


@adjoint(found_by)
def of_found(x, found, data, rows, cols, b, solver, options):
    lam = iterated(conj(data), cols, rows, d[x], solver, options)
    d[found] = 0.0
    d[b] = lam
    d[data] = -at_entries(lam, rows, conj(x), cols)


@nondifferentiable
def ended(data, rows, cols, b, solver, options):
    """What a method comes to, and how it ended."""
    size = np.size(b)
    matrix = csr_array(coo_array((data, (rows, cols)), shape=(size, size)))
    return getattr(linalg, solver)(matrix, b, **literal_eval(options))


@nondifferentiable
def eigen_of(data, rows, cols, size, k, sigma, which, v0, options):
    """Eigenvalues and vectors of a symmetric matrix of these entries."""
    matrix = csr_array(coo_array((data, (rows, cols)), shape=(size, size)))
    return linalg.eigsh(matrix, k, None, sigma, which, v0, **literal_eval(options))


@nondifferentiable
def singular_of(data, rows, cols, own, k, which, v0, options, vectors):
    """Singular values and vectors of a matrix of these entries; SciPy gives the values alone with
    other last digits.
    """
    matrix = csr_array(coo_array((data, (rows, cols)), shape=own.shape))
    matrix = matrix.toarray() if isinstance(own, np.ndarray) else matrix
    named = {"k": k, "which": which, "v0": v0, **literal_eval(options)}
    u, w, vh = linalg.svds(matrix, **named)
    if vectors is not True:
        own = linalg.svds(matrix, return_singular_vectors=vectors, **named)
        w = own if vectors is False else own[1]
    return u, w, vh


@nondifferentiable
def is_single(data, rows, cols, u, w, v):
    """Whether a singular value is no double one, nor 0."""
    both = np.concatenate((data, data))
    down, right = np.concatenate((rows, cols + len(u))), np.concatenate((cols + len(u), rows))
    return stands_apart(both, down, right, w, np.append(u, v) / np.sqrt(2.0))


@nondifferentiable
def stands_apart(data, rows, cols, w, v):
    """Whether an eigenvalue is no double one: only then its vector, bordered, has an inverse."""
    own = coo_array((data, (rows, cols)), shape=(len(v), len(v))) - w * eye_array(len(v))
    slope = block_array([[own, -v[:, None]], [v[None, :], None]], format="csc")
    right = np.cos(np.arange(len(v) + 1.0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        size = np.max(np.abs(linalg.spsolve(slope, right)))
    return bool(size * max(np.max(np.abs(data)), abs(w)) < 1e10)


@nondifferentiable
def is_plain(matrix, options):
    """Whether a matrix has entries, and options are numbers."""
    known = all(isinstance(each, (int, float, str)) for each in options.values())
    return known and (issparse(matrix) or isinstance(matrix, np.ndarray))

"""SciPy's functions that solve a sparse system by Krylov's methods, or ask for its eigenvalues."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

import numpy as np
from autodiff.templates.scipy.sparse.iterated import (
    SOLVERS,
    eigen_of,
    ended,
    found_by,
    is_plain,
    stands_apart,
)
from scipy.sparse import bmat, coo_array, eye, linalg

from autodiff import runtime
from autodiff.rules import registry
from autodiff.rules.taking import add_recipes, refused


def solved_by(name):
    """What stands for a method."""

    def solver(A, b, **options):
        given = {key: own for key, own in options.items() if own is not None}
        if not is_plain(A, given):
            refused(name, "it is given an operator, a preconditioner or a start", "leave it out")
        own = coo_array(A)
        entries, right = (own.data, own.row, own.col), np.ravel(b)
        found, info = ended(*entries, right, name, repr(given))
        if info != 0:
            refused(name, "it did not converge", "allow more iterations, or write the loop")
        x = found_by(found, *entries, right, name, repr(given))
        return np.reshape(x, np.shape(b)), info

    return solver


def stepped(A, w, v):
    """An eigenvalue and its vector after one step of Newton's method."""
    own = A - w * eye(len(v))
    slope = bmat([[own, -v[:, None]], [v[None, :], None]], format="csc")
    step = linalg.spsolve(slope, np.append(A @ v - w * v, (v @ v - 1) / 2))
    return w - step[-1], v - step[:-1]


def eigsh(A, k=6, M=None, sigma=None, which="LM", v0=None, return_eigenvectors=True, **options):
    """Two steps of Newton's method from a solution give what it has of derivatives up to the third:
    each doubles the order to which it is exact (Griewank and Walther, 2008, chapter 15).
    """
    if M is not None or not is_plain(A, options):
        refused("eigsh", "it is given more than a matrix", "leave it out")
    own = coo_array(A)
    if np.iscomplexobj(own.data):
        refused("eigsh", "its matrix is complex", "ask for those of a real one of twice the size")
    entries, size = (own.data, own.row, own.col), own.shape[0]
    found = eigen_of(*entries, size, k, sigma, which, v0, repr(options))
    values, vectors = [], []
    for j in range(len(found[0])):
        if not stands_apart(*entries, found[0][j], found[1][:, j]):
            refused("eigsh", "an eigenvalue is a double one", "ask for one that is not")
        w, v = stepped(A, *stepped(A, found[0][j], found[1][:, j]))
        values.append(w)
        vectors.append(v)
    w = runtime.valued(found[0], np.array(values))
    if not return_eigenvectors:
        return w
    return w, runtime.valued(found[1], np.stack(vectors, axis=1))


registry.add_written({getattr(linalg, name): solved_by(name) for name in SOLVERS})
registry.add_written({linalg.eigsh: eigsh})
add_recipes(__name__)

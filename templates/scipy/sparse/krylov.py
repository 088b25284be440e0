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
    is_single,
    singular_of,
    stands_apart,
)
from scipy.sparse import bmat, coo_array, eye, linalg

from autodiff import runtime
from autodiff.rules import registry
from autodiff.rules.taking import add_recipes, add_solvers, refused


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


def triplets(A, w, u, v):
    """A singular value and its vectors after two such steps: an eigenvalue of `[0 A; A^T 0]`."""
    whole = bmat([[None, A], [A.T, None]], format="csc")
    w, both = stepped(whole, *stepped(whole, w, np.append(u, v) / np.sqrt(2.0)))
    return w, both[: len(u)] * np.sqrt(2.0), both[len(u) :] * np.sqrt(2.0)


def svds(
    A,
    k=6,
    ncv=None,
    tol=0,
    which="LM",
    v0=None,
    maxiter=None,
    return_singular_vectors=True,
    solver="arpack",
    **options,
):
    named = {"ncv": ncv, "tol": tol, "maxiter": maxiter, "solver": solver, **options}
    given = {key: own for key, own in named.items() if own is not None}
    if not is_plain(A, given):
        refused("svds", "it is given an operator or a generator", "give it a matrix, and v0")
    own = coo_array(A)
    if np.iscomplexobj(own.data):
        refused("svds", "its matrix is complex", "ask for those of a real one of twice the size")
    entries = own.data, own.row, own.col
    found = singular_of(*entries, A, k, which, v0, repr(given), return_singular_vectors)
    values, left, right = [], [], []
    for j in range(len(found[1])):
        if not is_single(*entries, found[0][:, j], found[1][j], found[2][j]):
            refused("svds", "a singular value is 0 or a double one", "ask for one that is not")
        w, u, v = triplets(A, found[1][j], found[0][:, j], found[2][j])
        values.append(w)
        left.append(u)
        right.append(v)
    w = runtime.valued(found[1], np.array(values))
    if return_singular_vectors is False:
        return w
    u = runtime.valued(found[0], np.stack(left, axis=1))
    vh = runtime.valued(found[2], np.stack(right))
    if isinstance(return_singular_vectors, str):
        return (u, w, None) if return_singular_vectors == "u" else (None, w, vh)
    return u, w, vh


def eigs(A, *rest, **options):
    refused("eigs", "it may give complex numbers", "use eigsh, or np.linalg.eig of A.toarray()")


def lobpcg(A, *rest, **options):
    refused("lobpcg", "it ends where a start leads it", "use eigsh")


ASKED = {linalg.eigsh: eigsh, linalg.svds: svds, linalg.eigs: eigs, linalg.lobpcg: lobpcg}
registry.add_written({getattr(linalg, name): solved_by(name) for name in SOLVERS})
registry.add_written(ASKED)
add_solvers(ASKED)
add_recipes(__name__)

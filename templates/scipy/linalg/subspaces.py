"""Bases of subspaces, and the sign of a matrix, which tells two of them apart."""

from __future__ import annotations

from typing import Any

import numpy as np
from autodiff.templates.scipy.linalg.helpers import sylvester
from scipy import linalg

from autodiff.rules import adjoint, d, nondifferentiable, registry
from autodiff.runtime import adjoint_matrix, svd_adjoint
from autodiff.runtime.factorizations import check_invariant, size_of_columns


@adjoint(linalg.orth)
def orth(q, A, rcond=None):
    """At constant rank; the columns are singular vectors."""
    d[A] = orth_adjoint(d[q], A, np.shape(q)[1])


@adjoint(linalg.null_space)
def null_space(z, A, rcond=None, *, check_finite=True, lapack_driver="gesdd"):
    """At constant rank, for what does not depend on which basis was found."""
    d[A] = null_space_adjoint(d[z], A, z)


@adjoint(linalg.signm)
def signm(s, A):
    d[A] = signm_adjoint(d[s], A, s)


def orth_adjoint(g: Any, a: Any, rank: int) -> Any:
    """The adjoint of `a` when `g` is that of its first `rank` left singular vectors."""
    _one(a, "orth")
    u, s, vh = linalg.svd(a, full_matrices=False)
    return svd_adjoint(g, None, None, u[:, :rank], s[:rank], vh[:rank])


def null_space_adjoint(g: Any, a: Any, z: Any) -> Any:
    """The adjoint of `a` when `z = scipy.linalg.null_space(a)` and `g` is that of `z`.

    From a z = 0 it is dz = -a^+ da z, and what else the columns do is to turn in their own space.
    """
    _one(a, "null_space")
    check_basis(g, z)
    return -adjoint_matrix(np.linalg.pinv(a)) @ g @ adjoint_matrix(z)


def check_basis(g: Any, z: Any) -> None:
    """Raise where another basis of the same space would give another result."""
    turned = adjoint_matrix(z) @ g
    defect, scale = turned - adjoint_matrix(turned), size_of_columns(g)
    check_invariant(defect, scale, "the basis found of a null space")


def signm_adjoint(g: Any, a: Any, s: Any) -> Any:
    """The adjoint of `a` when `s = scipy.linalg.signm(a)` and `g` is that of `s`.

    With n = s a, whose eigenvalues lie to the right, it is n ds + ds n = da - s da s.
    Source: Kenney and Laub, The matrix sign function (1995).
    """
    _one(a, "signm")
    check_sign(s)
    root, sh = adjoint_matrix(s @ a), adjoint_matrix(s)
    inner = sylvester(root, root, g)
    return inner - sh @ inner @ sh


def check_sign(s: Any) -> None:
    """Raise where the sign jumps: for eigenvalues without a real part."""
    if np.max(np.abs(s @ s - np.eye(len(s))), initial=0.0) > 1e-3:
        raise ValueError(
            "scipy.linalg.signm has no derivative where an eigenvalue has no real part"
        )


def _one(a: Any, function: str) -> None:
    if np.ndim(a) > 2:
        raise NotImplementedError(f"scipy.linalg.{function} of a stack has no derivative rule")


nondifferentiable(check_basis, check_sign)
registry.add_making([orth_adjoint, null_space_adjoint, signm_adjoint])
registry.add_wide_by_values([linalg.orth, linalg.null_space])

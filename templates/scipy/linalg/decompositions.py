"""Decompositions with unitary factors, and what is built on those of other rules."""

import numpy as np
from autodiff.templates.scipy.linalg.helpers import (
    expm_frechet_adjoint,
    fiedler_companion_adjoint,
    qr_multiply_adjoint,
)
from autodiff.templates.scipy.linalg.unitary import (
    hessenberg_adjoint,
    polar_adjoint,
    rq_adjoint,
    rq_r_adjoint,
    schur_adjoint,
)
from scipy import linalg

from autodiff.rules import adjoint, d, registry
from autodiff.runtime import eigh_adjoint


@adjoint(linalg.polar)
def polar(y, a, side="right"):
    """Of full rank; wide matrices with side="left", tall ones with side="right"."""
    d[a] = polar_adjoint(d[y][0], d[y][1], y[0], y[1], side)


@adjoint(linalg.schur)
def schur(y, a, output="real", *, check_finite=True):
    """Of distinct eigenvalues, for what does not depend on the phases of the vectors."""
    d[a] = schur_adjoint(d[y][0], d[y][1], y[0], y[1])


@adjoint(linalg.hessenberg)
def hessenberg(y, a, calc_q=False, *, check_finite=True):
    """Of real matrices whose form does not fall apart."""
    d[a] = (
        hessenberg_adjoint(d[y][0], d[y][1], a)
        if calc_q
        else hessenberg_adjoint(d[y], np.zeros_like(a), a)
    )


@adjoint(linalg.eigh_tridiagonal)
def eigh_tridiagonal(
    y, diagonal, e, eigvals_only=False, *, check_finite=True, tol=0.0, lapack_driver="auto"
):
    """Of all eigenvalues, with their vectors or without."""
    a_bar = (
        eigh_adjoint(d[y], None, y, linalg.eigh_tridiagonal(diagonal, e)[1])
        if eigvals_only
        else eigh_adjoint(d[y][0], d[y][1], y[0], y[1])
    )
    d[diagonal] = np.diagonal(a_bar)
    d[e] = np.diagonal(a_bar, -1)


@adjoint(linalg.expm_frechet)
def expm_frechet(y, A, E, method=None, compute_expm=True, check_finite=True):
    """The upper right corner of the exponential of [[A, E], [0, A]]."""
    bars = (
        expm_frechet_adjoint(d[y][0], d[y][1], A, E)
        if compute_expm
        else expm_frechet_adjoint(np.zeros_like(A), d[y], A, E)
    )
    d[A] = bars[0]
    d[E] = bars[1]


@adjoint(linalg.qr_multiply)
def qr_multiply(y, a, c, mode="right"):
    bars = qr_multiply_adjoint(d[y][0], d[y][1], a, c, mode)
    d[a] = bars[0]
    d[c] = bars[1]


@adjoint(linalg.fiedler_companion)
def fiedler_companion(y, a):
    d[a] = fiedler_companion_adjoint(d[y], a)


@adjoint(linalg.rq)
def rq(y, a, *, mode="full", check_finite=True):
    """Of full rank."""
    d[a] = rq_r_adjoint(d[y], a) if mode == "r" else rq_adjoint(d[y][0], d[y][1], y[0], y[1])


registry.add_sharing([linalg.hessenberg])  # two rows are in that form already

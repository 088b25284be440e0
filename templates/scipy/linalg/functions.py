"""Functions of matrices."""

import numpy as np
from autodiff.templates.scipy.linalg.helpers import frechet_adjoint, sylvester
from scipy import linalg

from autodiff.rules import adjoint, d, registry
from autodiff.runtime import adjoint_matrix


@adjoint(linalg.expm)
def expm(y, A):
    d[A] = frechet_adjoint(linalg.expm, A, d[y])


registry.add_uncertain([linalg.logm, linalg.sqrtm, linalg.fractional_matrix_power])


@adjoint(linalg.logm)
def logm(y, A):
    d[A] = frechet_adjoint(linalg.logm, A, d[y])


@adjoint(linalg.sqrtm)
def sqrtm(y, A):
    """y y = A, so that y dy + dy y = dA."""
    d[A] = (
        sylvester(adjoint_matrix(y), adjoint_matrix(y), d[y])
        if np.ndim(A) == 2
        else frechet_adjoint(linalg.sqrtm, A, d[y])
    )


@adjoint(linalg.sinm)
def sinm(y, A):
    d[A] = frechet_adjoint(linalg.sinm, A, d[y])


@adjoint(linalg.cosm)
def cosm(y, A):
    d[A] = frechet_adjoint(linalg.cosm, A, d[y])


@adjoint(linalg.tanm)
def tanm(y, A):
    d[A] = frechet_adjoint(linalg.tanm, A, d[y])


@adjoint(linalg.sinhm)
def sinhm(y, A):
    d[A] = frechet_adjoint(linalg.sinhm, A, d[y])


@adjoint(linalg.coshm)
def coshm(y, A):
    d[A] = frechet_adjoint(linalg.coshm, A, d[y])


@adjoint(linalg.tanhm)
def tanhm(y, A):
    d[A] = frechet_adjoint(linalg.tanhm, A, d[y])


@adjoint(linalg.fractional_matrix_power)
def fractional_matrix_power(y, A, t):
    d[A] = frechet_adjoint(linalg.fractional_matrix_power, A, d[y], t)

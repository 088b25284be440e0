"""Functions of matrices."""

import numpy as np
from autodiff.templates.scipy.linalg.helpers import frechet_adjoint, sylvester
from scipy import linalg

from autodiff.rules import adjoint, d, registry
from autodiff.runtime import adjoint_matrix


@adjoint(linalg.expm)
def expm(y, a):
    d[a] = frechet_adjoint(linalg.expm, a, d[y])


registry.add_uncertain([linalg.logm, linalg.sqrtm, linalg.fractional_matrix_power])


@adjoint(linalg.logm)
def logm(y, a):
    d[a] = frechet_adjoint(linalg.logm, a, d[y])


@adjoint(linalg.sqrtm)
def sqrtm(y, a):
    """y y = a, so that y dy + dy y = da."""
    d[a] = (
        sylvester(adjoint_matrix(y), adjoint_matrix(y), d[y])
        if np.ndim(a) == 2
        else frechet_adjoint(linalg.sqrtm, a, d[y])
    )


@adjoint(linalg.sinm)
def sinm(y, a):
    d[a] = frechet_adjoint(linalg.sinm, a, d[y])


@adjoint(linalg.cosm)
def cosm(y, a):
    d[a] = frechet_adjoint(linalg.cosm, a, d[y])


@adjoint(linalg.tanm)
def tanm(y, a):
    d[a] = frechet_adjoint(linalg.tanm, a, d[y])


@adjoint(linalg.sinhm)
def sinhm(y, a):
    d[a] = frechet_adjoint(linalg.sinhm, a, d[y])


@adjoint(linalg.coshm)
def coshm(y, a):
    d[a] = frechet_adjoint(linalg.coshm, a, d[y])


@adjoint(linalg.tanhm)
def tanhm(y, a):
    d[a] = frechet_adjoint(linalg.tanhm, a, d[y])


@adjoint(linalg.fractional_matrix_power)
def fractional_matrix_power(y, a, t):
    d[a] = frechet_adjoint(linalg.fractional_matrix_power, a, d[y], t)

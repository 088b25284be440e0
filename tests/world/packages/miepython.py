"""Calls into miepython: scattering by spheres."""

from __future__ import annotations

import miepython as mie
import numpy as np
from miepython import rayleigh

from tests.world.calls import call

DISTRIBUTION = "miepython"


@call(0.8, 3.3)
def extinction(x):
    return mie.efficiencies_mx(1.5 - 0.1j, x)[0]


@call(0.8, 3.3)
def scattering(x):
    qext, qsca, qback, g = mie.efficiencies_mx(1.33, x)
    return qsca + g


@call(0.8, 3.3)
def back(x):
    return mie.efficiencies_mx(1.5, x)[2]


@call(1.3, 1.7)
def index(n):
    return mie.efficiencies_mx(n - 0.05j, 2.0)[1]


@call(0.01, 0.3)
def absorption(k):
    qext, qsca, _, _ = mie.efficiencies_mx(1.4 - 1j * k, 2.0)
    return qext - qsca


@call(0.02, 0.07)
def small(x):
    return 1e4 * mie.efficiencies_mx(1.5 - 0.1j, x)[0]


@call(0.5, 1.2)
def efficiencies(d):
    return mie.efficiencies(1.5, d, 0.6328, n_env=1.33)[0]


@call(0.4, 0.7)
def wavelength(lam):
    return mie.efficiencies(1.5 - 0.01j, 0.8, lam)[3]


@call(0.8, 2.7)
def amplitudes(x):
    s1, s2 = mie.S1_S2(1.5 - 0.1j, x, np.array([0.3]))
    return abs(s1[0]) ** 2 + s2[0].real


@call(0.2, 0.8)
def amplitude_angle(mu):
    s1, _ = mie.S1_S2(1.5, 2.0, np.array([mu, -0.2]))
    return np.abs(s1[0])


@call(0.2, 0.8)
def unpolarized(mu):
    return mie.i_unpolarized(1.5 - 0.1j, 2.0, np.array([mu]), norm="bohren")[0]


@call(0.8, 2.7)
def parallel(x):
    mu = np.array([0.2, 0.6])
    return np.sum(mie.i_par(1.5, x, mu)) + np.sum(mie.i_per(1.5, x, mu, norm="qsca"))


@call(0.5, 1.0)
def intensities(d):
    par, per = mie.intensities(1.5, d, 0.6328, np.array([0.4]), norm="one")
    return par[0] + per[0]


@call(0.8, 2.7)
def matrix(x):
    return mie.phase_matrix(1.5 - 0.1j, x, 0.4)[0, 1].item()


@call(0.8, 2.7)
def coefficients(x):
    a, b = mie.an_bn(1.5 - 0.1j, x)
    return a[0].real + b[1].imag


@call(0.8, 2.7)
def inside(x):
    a, b = mie.coefficients(1.5, x, internal=False)
    return np.sum(np.abs(a) ** 2) + np.abs(b[0])


@call(0.1, 0.3)
def rayleighs(x):
    q = rayleigh.efficiencies_mx(1.5 - 0.1j, x)
    return q[0] + q[1] + np.sum(rayleigh.i_unpolarized(1.5, x, np.array([0.3])))


@call(0.5, 1.0)
def far_field(d):
    e = mie.e_far(0.6, d, 1.5, 1.0, np.array([100.0]), np.array([0.4]), np.array([0.3]))
    return abs(e[1, 0]) * 100

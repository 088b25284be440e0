"""Calls into spectrum: autoregressive models and windows."""

from __future__ import annotations

import numpy as np
import spectrum
from spectrum import linear_prediction

from tests.world.calls import call

DISTRIBUTION = "spectrum"
TIME = np.arange(32)
X = np.cos(0.3 * TIME) + 0.4 * np.sin(1.1 * TIME) + 0.05 * (TIME % 5)
R = np.array([2.0, 0.6, -0.3, 0.1])


@call(R, R * 1.2 + 0.01)
def levinson(r):
    a, p, k = spectrum.LEVINSON(r)
    return np.sum(a) + p + np.sum(k)


@call(X, X * 1.1 + 0.1)
def burg(x):
    a, p, _k = spectrum.arburg(x, 3)
    return np.real(np.sum(a) + p)


@call(X, X * 1.1 + 0.1)
def yule_walker(x):
    a, p, _k = spectrum.aryule(x, 3)
    return np.sum(a) + p


@call(X, X * 1.1 + 0.1)
def covariance(x):
    a, e = spectrum.arcovar(x, 3)
    return np.real(np.sum(a) + e)


@call(X, X * 1.1 + 0.1)
def correlation(x):
    return np.sum(spectrum.CORRELATION(x, maxlags=6, norm="biased") ** 2)


@call(R[1:] / 2, R[1:] / 3)
def reflection(k):
    return np.sum(linear_prediction.rc2poly(k, 1.5)[0])


@call(R, R * 1.2 + 0.01)
def of_correlations(r):
    return np.sum(linear_prediction.ac2rc(r)[0])


@call(0.3, -0.2)
def spectral_density(a):
    own = spectrum.arma2psd(np.array([a, 0.2]), rho=1.5, NFFT=16)
    return np.sum(np.log(own))


@call(X, X * 1.1 + 0.1)
def periodogram(x):
    own = spectrum.speriodogram(x, NFFT=32, detrend=False, scale_by_freq=False)
    return np.sum(own[2:9])


@call(2.0, 3.0)
def window(alpha):
    return np.sum(spectrum.window.window_gaussian(16, alpha) ** 2)


@call(0.3, 0.6)
def tapered(r):
    return np.sum(spectrum.window.window_tukey(21, r) * X[:21])


@call(1.5, 2.5)
def bandwidth(alpha):
    return spectrum.enbw(spectrum.window.window_poisson(16, alpha))


@call(0.8, 1.4)
def criterion(rho):
    return spectrum.criteria.AICc(32, rho, 3) + spectrum.criteria.MDL(32, rho, 3)

"""Calls into GSTools: covariance models and kriging."""

from __future__ import annotations

import gstools as gs
import numpy as np

from tests.world.calls import call

DISTRIBUTION = "gstools"
LAGS = np.array([0.3, 1.1, 2.4])
PLACES = np.array([0.3, 1.9, 1.1, 3.3, 4.7])
VALUES = np.array([0.47, 0.56, 0.74, 1.47, 1.74])


@call(0.7, 2.1)
def variogram(scale):
    return np.sum(gs.Gaussian(dim=2, var=1.5, len_scale=scale).variogram(LAGS))


@call(0.7, 2.1)
def covariance(var):
    return np.sum(gs.Exponential(dim=1, var=var, len_scale=1.3, nugget=0.1).covariance(LAGS))


@call(0.7, 2.1)
def matern(scale):
    return np.sum(gs.Matern(dim=2, var=2.0, len_scale=scale, nu=1.5).correlation(LAGS))


@call(2.7, 4.1)
def spherical(scale):
    return gs.Spherical(dim=3, var=2.0, len_scale=scale).vario_yadrenko(LAGS / 3).sum()


@call(LAGS, LAGS + 0.2)
def distances(r):
    return np.sum(gs.Gaussian(dim=1, var=2.0, len_scale=1.2).variogram(r))


@call(VALUES, VALUES + 0.3)
def kriged(values):
    own = gs.krige.Ordinary(gs.Gaussian(dim=1, var=0.5, len_scale=2.0), PLACES, values)
    field, _ = own(np.array([0.8, 2.5]))
    return np.sum(field)


@call(1.5, 2.5)
def kriged_by_scale(scale):
    own = gs.krige.Simple(gs.Gaussian(dim=1, var=0.5, len_scale=scale), PLACES, VALUES, mean=1.0)
    field, error = own(np.array([0.8, 2.5]))
    return np.sum(field) + np.sum(error)


@call(0.7, 2.1)
def spectral(scale):
    return np.sum(gs.Gaussian(dim=2, len_scale=scale).spectral_density(LAGS))


@call(VALUES, VALUES + 0.3)
def normalised(values):
    return np.sum(gs.normalizer.BoxCox(lmbda=0.4).normalize(values))

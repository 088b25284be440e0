"""Calls into PyKrige."""

from __future__ import annotations

import numpy as np
from pykrige import core, variogram_models
from pykrige.ok import OrdinaryKriging
from pykrige.uk import UniversalKriging

from tests.world.calls import call

DISTRIBUTION = "PyKrige"
X = np.array([0.3, 1.9, 1.1, 3.3, 4.7])
Y = np.array([1.2, 0.6, 3.2, 4.4, 3.8])
Z = np.array([0.47, 0.56, 0.74, 1.47, 1.74])
AT = np.array([0.5, 2.5]), np.array([1.5, 3.0])


def ordinary(values, **more):
    return OrdinaryKriging(
        X,
        Y,
        values,
        variogram_model="exponential",
        variogram_parameters={"sill": 1.5, "range": 4.0, "nugget": 0.1},
        **more,
    )


@call(Z, Z + 0.3)
def kriged(values):
    found, _ = ordinary(values).execute("points", *AT)
    return np.sum(found)


@call(Z, Z + 0.3)
def on_a_grid(values):
    found, variance = ordinary(values).execute("grid", *AT)
    return np.sum(found) + np.sum(variance)


@call(1.2, 2.0)
def scaled(s):
    found, _ = ordinary(Z, anisotropy_scaling=s).execute("points", *AT)
    return np.sum(found)


@call(1.2, 2.0)
def sill(s):
    own = OrdinaryKriging(X, Y, Z, variogram_model="gaussian", variogram_parameters=[s, 3.0, 0.1])
    return np.sum(own.execute("points", *AT)[1])


@call(Z, Z + 0.3)
def with_drift(values):
    own = UniversalKriging(
        X,
        Y,
        values,
        variogram_model="linear",
        variogram_parameters=[0.3, 0.1],
        drift_terms=["regional_linear"],
    )
    return np.sum(own.execute("points", *AT)[0])


@call(1.5, 2.5)
def model(sill):
    return np.sum(variogram_models.spherical_variogram_model([sill, 3.0, 0.1], X))


@call(1.5, 2.5)
def great_circle(longitude):
    return core.great_circle_distance(longitude, 10.0, 20.0, 40.0)

"""Calls into pymcdm: decisions by several criteria."""

from __future__ import annotations

import numpy as np
from pymcdm import correlations, methods, normalizations, weights

from tests.world.calls import call

DISTRIBUTION = "pymcdm"
CARS = np.array(
    [[4.0, 7.0, 2.0, 0.5], [2.0, 8.5, 3.5, 0.7], [5.5, 6.0, 1.5, 0.4], [3.0, 9.0, 2.5, 0.9]]
)
WEIGHTS = np.array([0.3, 0.25, 0.25, 0.2])
OTHER = np.array([0.1, 0.4, 0.2, 0.3])
TYPES = np.array([-1, 1, -1, 1])


@call(WEIGHTS, OTHER)
def topsis(w):
    return methods.TOPSIS()(CARS, w, TYPES, validation=False)[1]


@call(CARS, CARS**1.2)
def table(cars):
    return methods.TOPSIS(normalizations.vector_normalization)(cars, WEIGHTS, TYPES)[0]


@call(WEIGHTS, OTHER)
def vikor(w):
    return methods.VIKOR()(CARS, w, TYPES, validation=False)[1]


@call(CARS, CARS**1.2)
def copras(cars):
    return methods.COPRAS()(cars, WEIGHTS, TYPES)[2]


@call(CARS, CARS**1.2)
def sums(cars):
    return methods.WSM()(cars, WEIGHTS, TYPES)[1] + methods.WPM()(cars, WEIGHTS, TYPES)[1]


@call(WEIGHTS, OTHER)
def aras(w):
    return methods.ARAS()(CARS, w, TYPES, validation=False)[1]


@call(CARS, CARS**1.2)
def edas(cars):
    return methods.EDAS()(cars, WEIGHTS, TYPES)[1]


@call(CARS, CARS**1.2)
def codas(cars):
    return methods.CODAS()(cars, WEIGHTS, TYPES)[1]


@call(WEIGHTS, OTHER)
def promethee(w):
    own = methods.PROMETHEE_II("vshape_2", p=np.array([3.0, 4.0, 2.0, 0.5]), q=np.full(4, 0.1))
    return own(CARS, w, TYPES, validation=False)[1]


@call(WEIGHTS, OTHER)
def spotis(w):
    bounds = np.array([[1.0, 6.0], [5.0, 10.0], [1.0, 4.0], [0.3, 1.0]])
    return methods.SPOTIS(bounds)(CARS, w, TYPES, validation=False)[1]


@call(CARS, CARS**1.2)
def entropy(cars):
    return np.sum(weights.entropy_weights(cars) * np.arange(4))


@call(CARS, CARS**1.2)
def spread(cars):
    found = weights.critic_weights(cars) + weights.standard_deviation_weights(cars)
    return np.sum(found * np.arange(4))


@call(CARS, CARS**1.2)
def mabac(cars):
    return methods.MABAC()(cars, weights.gini_weights(cars), TYPES)[1]


@call(WEIGHTS, OTHER)
def agreement(w):
    return correlations.pearson(w, np.array([0.2, 0.5, 0.1, 0.4])) + correlations.weighted_spearman(
        w, OTHER + 0.1 * w
    )

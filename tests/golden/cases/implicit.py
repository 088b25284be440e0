"""Implicit functions: one linear system in the reverse sweep, none of the solver's iterations."""

import numpy as np

from autodiff import implicit
from tests.golden.case import case
from tests.language.data import V3


def kepler(mean, eccentricity, anomaly):
    return anomaly - eccentricity * np.sin(anomaly) - mean


@implicit(kepler)
def anomaly_of(mean, eccentricity):
    anomaly = mean
    for _ in range(60):
        slope = 1 - eccentricity * np.cos(anomaly)
        anomaly = anomaly - kepler(mean, eccentricity, anomaly) / slope
    return anomaly


@case(1.1, 0.4, wrt=("mean", "eccentricity"))
def orbit(mean, eccentricity):
    anomaly = anomaly_of(mean, eccentricity)
    return np.cos(anomaly) - eccentricity


def balance(stiffness, load, u):
    return stiffness @ u + u**3 - load


@implicit(balance)
def displacement(stiffness, load, steps=40):
    u = np.zeros_like(load)
    for _ in range(steps):
        matrix = stiffness + np.diag(3 * u**2)
        u = u - np.linalg.solve(matrix, balance(stiffness, load, u))
    return u


K = np.array([[4.0, 1.0, 0.0], [1.0, 5.0, 1.0], [0.0, 1.0, 3.0]])


@case(K, V3, wrt=("stiffness", "load"))
@case(K, V3, wrt=("stiffness", "load"), transform="jvp", name="compliance_jvp")
def compliance(stiffness, load):
    return load @ displacement(stiffness, load)

"""Calls into rowan: quaternions."""

from __future__ import annotations

import numpy as np
import rowan

from tests.world.calls import call

DISTRIBUTION = "rowan"
Q = np.array([0.8, 0.2, -0.4, 0.4]) / np.linalg.norm([0.8, 0.2, -0.4, 0.4])
P = np.array([0.6, -0.3, 0.5, 0.2])
V = np.array([1.0, 2.0, -0.5])


@call(V, 2 * V + 1)
def rotated(v):
    return np.sum(rowan.rotate(Q, v) ** 3)


@call(0.3, 1.1)
def about_an_axis(angle):
    return rowan.rotate(rowan.from_axis_angle([0.0, 0.6, 0.8], angle), V)[0]


@call(P, Q)
def exponential(q):
    return np.sum(rowan.exp(q) * P)


@call(P, Q)
def logarithm(q):
    return np.sum(rowan.log(q) * V[0])


@call(P, Q)
def to_a_power(q):
    return np.sum(rowan.power(q, 2.5))


@call(P, 2 * Q)
def product(q):
    return np.sum(rowan.multiply(rowan.normalize(q), Q) ** 2 * P)


@call(P, 2 * Q)
def inverse(q):
    return np.sum(rowan.divide(Q, q))


@call(0.4, -0.9)
def euler(alpha):
    return np.sum(rowan.from_euler(alpha, 0.3, 2 * alpha) * P)


@call(P, Q)
def angles(q):
    return np.sum(rowan.to_euler(rowan.normalize(q)) * V)


@call(P, 3 * Q)
def matrix(q):
    return np.sum(rowan.to_matrix(rowan.normalize(q)) @ V)


@call(0.2, 0.7)
def interpolated(t):
    return np.sum(rowan.interpolate.slerp(Q, rowan.normalize(P), t) * P)


@call(V, V + 1)
def between_vectors(v):
    return np.sum(rowan.vector_vector_rotation(v, np.array([0.0, 0.0, 1.0])) * P)


@call(P, 2 * Q)
def distance(q):
    return np.sum(rowan.geometry.intrinsic_distance(rowan.normalize(q), Q))

"""Checkpointed loops: a step function, its pullback, and a schedule that runs them."""

import numpy as np

from autodiff import checkpoint, checkpointed
from tests.golden.case import case
from tests.language.data import V4


@case(V4, 0.1, 20, wrt=("u", "viscosity"))
def checkpointed_burgers(u, viscosity, steps):
    energy = 0.0
    for t in checkpointed(range(steps), snapshots=4):
        slope = u[2:] - u[:-2]
        u[1:-1] = u[1:-1] - 0.1 * u[1:-1] * slope + viscosity * np.cos(0.1 * t)
        energy = energy + np.sum(u**2)
    return energy


@checkpoint
def residual_block(x, weight):
    hidden = np.tanh(weight * x)
    return x + hidden * np.exp(-(hidden**2))


@case(V4, 0.7, wrt=("x", "weight"))
def recomputed_layers(x, weight):
    for _ in range(3):
        x = residual_block(x, weight)
    return np.sum(x**2)

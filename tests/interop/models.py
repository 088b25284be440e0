"""Functions of NumPy that other libraries are given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass
class Layer:
    weights: Any
    bias: Any
    name: str = "dense"


def model(layer, x, *, power=2.0):
    """Several results: an array, a number, an integer, None, text."""
    hidden = np.tanh(layer["w"] @ x) * power
    return {"hidden": hidden, "norm": (np.sum(hidden**2), len(x), None, "norm")}


def of_object(layer, x):
    return np.tanh(layer.weights @ x + layer.bias)


def relaxed(x, steps):
    """In place, in a loop."""
    u = x.copy()
    for _ in range(steps):
        u[1:-1] += 0.2 * (u[2:] - 2.0 * u[1:-1] + u[:-2]) * u[1:-1]
    return u


def cube(x):
    return x**3


def many(*xs, scale=1.0):
    total = 0.0
    for x in xs:
        total = total + scale * np.sum(x**3)
    return total


class Spring:
    def __init__(self, stiffness):
        self.stiffness = stiffness

    def energy(self, x):
        return 0.5 * self.stiffness * np.sum(x**2) ** 2


def sign_dependent(x):
    """Another form of result where the sum is negative."""
    return x if np.sum(x) > 0 else x[:1]

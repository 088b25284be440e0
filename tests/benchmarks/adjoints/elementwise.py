"""What acts on each element, and what chooses between elements."""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from tests.benchmarks.workload import Workload, pair


def exp(x, w):
    return np.sum(np.exp(x) * w)


def exp_by_hand(x, w):
    return w * np.exp(x)


def log(x, w):
    return np.sum(np.log(x) * w)


def log_by_hand(x, w):
    return w / x


def sqrt(x, w):
    return np.sum(np.sqrt(x) * w)


def sqrt_by_hand(x, w):
    return w / (2 * np.sqrt(x))


def sin(x, w):
    return np.sum(np.sin(x) * w)


def sin_by_hand(x, w):
    return w * np.cos(x)


def tanh(x, w):
    return np.sum(np.tanh(x) * w)


def tanh_by_hand(x, w):
    return w * (1 - np.tanh(x) ** 2)


def log1p(x, w):
    return np.sum(np.log1p(x) * w)


def log1p_by_hand(x, w):
    return w / (1 + x)


def sigmoid(x, w):
    return np.sum(w / (1 + np.exp(-x)))


def sigmoid_by_hand(x, w):
    e = np.exp(-x)
    return w * e / (1 + e) ** 2


def square(x, w):
    return np.sum(x**2 * w)


def square_by_hand(x, w):
    return 2 * w * x


def cube(x, w):
    return np.sum(x**3 * w)


def cube_by_hand(x, w):
    return 3 * w * x**2


def power(x, y, w):
    return np.sum(x**y * w)


def power_by_hand(x, y, w):
    """The slope in `y` is 0 where `x` is 0, and that in `x` where `y` is."""
    x_bar = w * y * x ** np.where(y == 0, 1.0, y - 1)
    return x_bar, w * x**y * np.log(np.where(x == 0, 1.0, x))


def divide(x, y, w):
    return np.sum(x / y * w)


def divide_by_hand(x, y, w):
    x_bar = w / y
    return x_bar, -x_bar * x / y


def arctan2(x, y, w):
    return np.sum(np.arctan2(x, y) * w)


def arctan2_by_hand(x, y, w):
    g = w / (x**2 + y**2)
    return g * y, -g * x


def hypot(x, y, w):
    return np.sum(np.hypot(x, y) * w)


def hypot_by_hand(x, y, w):
    z = np.hypot(x, y)
    g = w / np.where(z == 0, 1, z)
    return g * x, g * y


def absolute(x, w):
    return np.sum(np.abs(x) * w)


def absolute_by_hand(x, w):
    return w * np.sign(x)


def maximum(x, y, w):
    return np.sum(np.maximum(x, y) * w)


def maximum_by_hand(x, y, w):
    """Ties share; an infinite `w` stays away from what was not chosen."""
    half = 0.5 * w
    tie = x == y
    return np.where(tie, half, np.where(x > y, w, 0)), np.where(tie, half, np.where(x < y, w, 0))


def rectifier(x, w):
    return np.sum(np.maximum(x, 0.0) * w)


def rectifier_by_hand(x, w):
    return np.where(x == 0, 0.5 * w, np.where(x > 0, w, 0))


def clip(x, w):
    return np.sum(np.clip(x, 0.5, 1.0) * w)


def clip_by_hand(x, w):
    return np.where((x >= 0.5) & (x <= 1.0), w, 0.0)


def where(x, w):
    return np.sum(np.where(x > 1, x**2, 2 * x) * w)


def where_by_hand(x, w):
    return np.where(x > 1, w * 2 * x, 2 * w)


def erf(x, w):
    return np.sum(special.erf(x) * w)


def erf_by_hand(x, w):
    return 2 / math.sqrt(math.pi) * w * np.exp(-(x**2))


def gammaln(x, w):
    return np.sum(special.gammaln(x) * w)


def gammaln_by_hand(x, w):
    return w * special.digamma(x)


def cases(n: int) -> list[Workload]:
    """Arrays of `n` positive numbers."""
    rng = np.random.default_rng(n)
    x, y, w = rng.uniform(0.1, 2, (3, n))
    both = ("x", "y")
    of_one = (
        *(exp, log, sqrt, sin, tanh, log1p, sigmoid, square, cube, absolute, rectifier, clip),
        *(where, erf, gammaln),
    )
    of_two = (power, divide, arctan2, hypot, maximum)
    return [
        *(pair(primal, "x", x, w) for primal in of_one),
        *(pair(primal, ("x", "y"), x, y, w) for primal in of_two),
    ]

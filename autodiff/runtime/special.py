"""Special functions that derivatives need and NumPy lacks."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def digamma(x: Any) -> Any:
    """The derivative of log gamma, for real `x`; NaN at the poles 0, -1, -2 ...

    Reflection for negative `x`, the recurrence psi(x) = psi(x + 1) - 1/x up to 10, and from there
    the asymptotic series (Abramowitz and Stegun 6.3.5, 6.3.7, 6.3.18).
    """
    x = np.asarray(x, float)
    pole = (x <= 0) & (x == np.floor(x))
    negative = (x < 0) & ~pole
    z = np.where(pole, 1.0, np.where(negative, 1 - x, x))
    result = np.zeros_like(z)
    while np.any(z < 10):
        small = z < 10
        result -= np.where(small, 1 / z, 0.0)
        z = np.where(small, z + 1, z)
    w = 1 / z**2
    series = w * (1 / 12 - w * (1 / 120 - w * (1 / 252 - w * (1 / 240 - w * (1 / 132)))))
    result += np.log(z) - 1 / (2 * z) - series
    fraction = np.where(negative, x - np.floor(x), 0.5)
    result -= np.where(negative, math.pi / np.tan(math.pi * fraction), 0.0)
    return np.where(pole, np.nan, result)[()]


def bessel_i1(x: Any) -> Any:
    """The modified Bessel function of order 1, the derivative of `np.i0`.

    The mean of `exp(x cos t) cos t` over a period, by the trapezoidal rule: for periodic functions
    it converges faster than any power, here to all digits from about `sqrt(80 |x|)` points on.
    """
    x = np.asarray(x)
    largest = float(np.max(np.abs(x), initial=0.0)) if np.all(np.isfinite(x)) else 700.0
    count = 24 + 2 * math.ceil(math.sqrt(40 * min(largest, 1e4)))
    total = np.zeros(x.shape, np.result_type(x, np.float32))
    for k in range(count):
        cosine = math.cos(2 * math.pi * (k + 0.5) / count)
        total = total + np.exp(x * cosine) * cosine
    return (total / count)[()]

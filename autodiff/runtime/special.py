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


def i0_slope(x: Any, order: int) -> Any:
    """The derivative of `np.i0` of an order from 1 on.

    The mean of `exp(x cos t) cos(t)^order` over a period (of its even or odd part in `x`), by the
    trapezoidal rule: for periodic functions it converges faster than any power, here to all digits
    from about `sqrt(80 |x|)` points on.
    """
    x = np.asarray(x)
    largest = float(np.max(np.abs(x), initial=0.0)) if np.all(np.isfinite(x)) else 700.0
    count = 24 + 2 * math.ceil(math.sqrt(40 * min(largest, 1e4)))
    total = np.zeros(x.shape, np.result_type(x, np.float32))
    part = np.sinh if order % 2 else np.cosh
    for k in range(count):
        cosine = math.cos(2 * math.pi * (k + 0.5) / count)
        total = total + part(x * cosine) * cosine**order
    return (total / count)[()]


def sinc_slope(x: Any, order: int) -> Any:
    """The derivative of `np.sinc` of an order from 1 on, to all digits at 0 and beside it, too.

    With `u = pi x` that of `sin(u) / u` is `S_k = (sin(u + k pi / 2) - k S_(k-1)) / u`, and where
    that loses digits the sum of `(-1)^j u^(2j - k) / ((2j + 1) (2j - k)!)`.
    """
    x = np.asarray(x)
    own = np.result_type(x.dtype, np.float16)
    u = math.pi * np.asarray(x, np.result_type(x, np.float64))  # powers that half of it has not
    near = np.abs(u) < 1 + order / 2
    far, close = np.where(near, 1 + order / 2, u), np.where(near, u, 0.0)
    turns = (np.sin(far), np.cos(far), -np.sin(far), -np.cos(far))
    result = turns[0] / far
    for k in range(1, order + 1):
        result = (turns[k % 4] - k * result) / far
    first = (order + 1) // 2
    series = np.zeros_like(close)
    for j in range(first + 15 + order, first - 1, -1):
        power = 2 * j - order
        series = series + (-1) ** j * close**power / ((2 * j + 1) * math.factorial(power))
    return np.asarray(math.pi**order * np.where(near, series, result), own)[()]

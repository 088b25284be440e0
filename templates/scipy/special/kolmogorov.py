"""The distributions of Kolmogorov's and Smirnov's statistics."""

from typing import Any

import numpy as np
from scipy import special
from scipy.special import _ufuncs

from autodiff.rules import d, elementwise, registry


def survival_slope(x: Any) -> Any:
    """The derivative of 2 sum (-1)^(k - 1) exp(-2 k^2 x^2), below 0.8 of its Jacobi transform.

    Source: Feller, On the Kolmogorov-Smirnov limit theorems (1948).
    """
    low = x < 0.8
    far = np.where(low, 1.0, x)
    total = 0.0
    for k in range(1, 7):
        total = total + (-1.0) ** k * k**2 * np.exp(-2 * k**2 * far**2)
    near = np.where(low, np.maximum(x, 0.03), 0.5)
    rest = 0.0
    for k in range(1, 8, 2):
        power = (k * np.pi) ** 2 / (4 * near**2)
        rest = rest + (power - 1) * np.exp(-power / 2)
    slope = np.where(low, -((2 * np.pi) ** 0.5) / near**2 * rest, 8 * far * total)
    return np.where(x > 0.03, slope, 0.0)


registry.add_making([survival_slope])


@elementwise(special.kolmogorov)
def kolmogorov(p, y):
    d[y] = d[p] * survival_slope(y)


@elementwise(special.kolmogi)
def kolmogi(y, p):
    d[p] = d[y] / survival_slope(y)


if hasattr(_ufuncs, "_smirnovp"):
    registry.add_making([_ufuncs._smirnovp])

    @elementwise(special.smirnov)
    def smirnov(p, n, distance):
        d[distance] = d[p] * _ufuncs._smirnovp(n, distance)

    @elementwise(special.smirnovi)
    def smirnovi(distance, n, p):
        d[p] = d[distance] / _ufuncs._smirnovp(n, distance)

"""The zeta functions, in the exponent and in the shift.

Source: the formula of Euler and Maclaurin, DLMF 25.11.5 with 25.2.9, differentiated; below -1 the
reflection DLMF 25.4.1.
"""

from typing import Any

import numpy as np
from scipy import special

from autodiff.rules import d, elementwise, registry

_SUMMED = 12
"""So many terms are summed; of those after them there is a series in Bernoulli numbers."""

_BERNOULLI = (
    *(1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160, -691 / 1307674368000),
    *(1 / 74724249600, -3617 / 10670622842880000),
)
"""B_2j / (2j)!."""


def hurwitz_slope(s: Any, q: Any) -> Any:
    """The derivative of the zeta function of Hurwitz in its exponent."""
    own = np.result_type(s, q)
    wide = np.result_type(own, np.float64)  # powers that numbers of half the precision have not
    s, q = np.asarray(s, wide), np.asarray(q, wide)
    total = 0.0
    for k in range(_SUMMED):
        total = total - np.log(q + k) * (q + k) ** -s
    a = q + _SUMMED
    value = a / (s - 1) + 0.5
    slope = -a / (s - 1) ** 2
    rising, by_s = s, 1.0
    for j in range(len(_BERNOULLI)):
        power = _BERNOULLI[j] * a ** (-2.0 * j - 1)
        value = value + power * rising
        slope = slope + power * by_s
        after = (s + 2 * j + 1) * (s + 2 * j + 2)
        by_s = by_s * after + rising * (2 * s + 4 * j + 3)
        rising = rising * after
    return np.asarray(total + a**-s * (slope - np.log(a) * value), own)


def riemann_slope(s: Any) -> Any:
    """The derivative of the zeta function of Riemann."""
    own = np.result_type(s)
    s = np.asarray(s, np.result_type(own, np.float64))
    below = np.real(s) < -1  # beside 1 - s = 1 the reflection loses digits
    t = np.where(below, 1 - s, 2.0)
    there = special.zeta(t, 1.0)
    gamma = special.gamma(t) * 2 * (2 * np.pi) ** -t
    turned = np.cos(np.pi * t / 2) * ((np.log(2 * np.pi) - special.psi(t)) * there)
    turned = turned - np.cos(np.pi * t / 2) * hurwitz_slope(t, 1.0)
    reflected = gamma * (turned + np.pi / 2 * np.sin(np.pi * t / 2) * there)
    found = np.where(below, reflected, hurwitz_slope(np.where(below, 2.0, s), 1.0))
    return np.asarray(found, own)


registry.add_making([hurwitz_slope, riemann_slope])


@elementwise(special.zeta)
def zeta(y, x, q=None):
    """Of Hurwitz, in both arguments; of Riemann where there is no second one."""
    d[x] = d[y] * (riemann_slope(x) if q is None else hurwitz_slope(x, q))
    d[q] = -d[y] * x * special.zeta(x + 1, q)


@elementwise(special.zetac)
def zetac(y, x):
    d[x] = d[y] * riemann_slope(x)

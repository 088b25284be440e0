"""Calls into uncertainties: numbers with standard deviations."""

from __future__ import annotations

import math

import numpy as np
from uncertainties import (
    correlated_values,
    covariance_matrix,
    nominal_value,
    std_dev,
    ufloat,
    umath,
    unumpy,
    wrap,
)

from tests.world.calls import call

DISTRIBUTION = "uncertainties"


@call(1.3, 2.4)
def nominal(x):
    a = ufloat(x, 0.1)
    return (a * a + 2 * a).nominal_value


@call(1.3, 2.4)
def deviation(x):
    a, b = ufloat(x, 0.1), ufloat(2.0, 0.3)
    return (a * b).std_dev


@call(0.1, 0.4)
def spread(s):
    a, b = ufloat(1.5, s), ufloat(2.0, 0.3)
    return (a / b - b).s


@call(1.3, 2.4)
def short_names(x):
    a = ufloat(x, 0.2)
    y = a**3 - 1 / a
    return y.n + y.s


@call(0.3, 1.1)
def functions(x):
    a = ufloat(x, 0.05)
    y = umath.sin(a) + umath.exp(-a) * umath.sqrt(a)
    return y.n * y.s


@call(0.3, 0.8)
def more_functions(x):
    a = ufloat(x, 0.05)
    return (umath.log(a) + umath.atan2(a, 2.0) + umath.pow(a, 2.5)).std_dev


@call(1.3, 2.4)
def correlated(x):
    a = ufloat(x, 0.1)
    b = x * a + ufloat(1.0, 0.2)
    return covariance_matrix([a, b])[0][1]


@call(1.3, 2.4)
def derivatives(x):
    a, b = ufloat(x, 0.1), ufloat(2.0, 0.3)
    return (a**b).derivatives[a]


@call(1.3, 2.4)
def components(x):
    a, b = ufloat(x, 0.1, "a"), ufloat(2.0, 0.3, "b")
    return sum(v for v in (a * b + a).error_components().values())


@call(1.3, 2.4)
def wrapped(x):
    f = wrap(lambda u, v: u * math.exp(-v))
    return f(ufloat(x, 0.1), 0.3).n


@call(np.array([1.0, 2.0, 3.0]), np.array([0.5, 1.5, 0.7]))
def arrays(x):
    a = unumpy.uarray(x, [0.1, 0.2, 0.3])
    return (a * 2 + 1).sum().nominal_value


@call(np.array([1.0, 2.0, 3.0]), np.array([0.5, 1.5, 0.7]))
def array_functions(x):
    a = unumpy.uarray(x, [0.1, 0.2, 0.3])
    return np.sum(unumpy.std_devs(unumpy.sin(a) * a))


@call(np.array([1.0, 2.0, 3.0]), np.array([0.5, 1.5, 0.7]))
def averages(x):
    vs = [ufloat(v, 0.1 + 0.1 * i) for i, v in enumerate(x)]
    mean = sum(vs) / len(vs)
    return mean.n * mean.s + nominal_value(vs[0]) * std_dev(vs[1])


@call(np.array([1.0, 2.0]), np.array([0.5, 1.5]))
def from_covariance(x):
    a, b = correlated_values(x, [[0.04, 0.01], [0.01, 0.09]])
    return (a * b).std_dev


@call(1.3, 2.4)
def compared(x):
    a, b = ufloat(x, 0.1), ufloat(1.0, 0.3)
    big = max(a, b)
    return big.n + abs(-a).n + (a.std_score(0.5) if a > b else 0.0)


@call(9.7, 9.9)
def pendulum(g):
    length = ufloat(1.2, 0.01)
    period = 2 * math.pi * umath.sqrt(length / g)
    return period.s * 100


@call(0.3, 0.8)
def changed(s):
    a = ufloat(1.2, 0.1)
    b = a * 3
    a.std_dev = s
    return b.std_dev

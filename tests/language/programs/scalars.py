"""`math`, builtins, and numbers of all sorts."""

import math
from math import exp, sqrt

import numpy as np

from tests.language.corpus import program
from tests.language.data import V3, V4, X32, X64, ZERO_D


@program([(0.7,), (0.3,), (X64,)])
def math_functions(x):
    return math.sin(x) * math.cos(x) + math.tan(x / 2) + math.exp(-x) + math.log(x) + math.sqrt(x)


@program([(0.7,), (0.3,)])
def more_math(x):
    y = math.sinh(x) + math.cosh(x) * math.tanh(x) + math.asin(x) - math.acos(x) + math.atan(x)
    return y + math.log1p(x) * math.expm1(x) + math.log2(x) + math.log10(x) + math.erf(x)


@program([(0.7, 1.9), (1.3, 0.6)])
def math_of_two(x, y):
    return math.atan2(x, y) * math.hypot(x, y) + math.pow(x, y) + math.log(x + 1, 3)


@program([(0.7,)])
def from_math_import(x):
    return exp(-x) * sqrt(x) + math.pi * x + math.e


@program([(0.7, 1.9), (-1.3, 0.6)])
def builtins_on_numbers(x, y):
    return abs(x) * max(x, y) + min(x, y, 3.0) ** 2 + pow(y, 3) + sum([x, y]) * sum((x, y), 1.0)


@program([(0.7, 1.9)])
def max_of_sequence(x, y):
    values = [x, y * 2, x * y]
    return max(values) * min(values) + max(values, key=lambda v: -v)


@program([(0.7,), (X32,), (ZERO_D,)], analytic=True)
def number_kinds(x):
    return x**2 + x * 2 + 1 / x


@program([(0.7, 1.2), (-0.7, 2.9)])
def int_is_flat(x, y):
    k = int(y)
    return x**2 * k + int(x * 3) + round(y)


@program([(2.7, 1.2), (-0.7, 2.9)])
def floor_is_flat(x, y):
    return math.floor(x) * y + math.ceil(y) * x + (x - math.floor(x)) ** 2


@program([(0.7, 1.2)])
def float_conversion(x, y):
    return float(x) ** 2 * float(y) + float("2.5") * x


@program([(0.7,)])
def string_formatting_aside(x):
    label = f"{x:.3f}" + "!" * 3
    n = len(label)
    return x * n


@program([(0.7, 3), (0.7, 5)])
def factorial_series(x, n):
    total = 0.0
    for k in range(n):
        total += x**k / math.factorial(k)
    return total


@program([(3.7, 1.2)])
def fmod(x, y):
    return math.fmod(x, y) * x


@program([(0.7, -1.9)])
def fabs_copysign(x, y):
    return math.fabs(y) * x + np.copysign(1.0, y) * x**2


@program([(0.9, 0.2)])
def normal_density(x, mu):
    return math.exp(-0.5 * (x - mu) ** 2) / math.sqrt(2 * math.pi)


def normal_cdf(z):
    return 0.5 * (1.0 + math.erf(z / math.sqrt(2.0)))


@program([(101.0, 95.0, 0.04, 0.23, 0.75)])
def black_scholes(spot, strike, rate, sigma, t):
    d1 = (math.log(spot / strike) + (rate + 0.5 * sigma**2) * t) / (sigma * math.sqrt(t))
    d2 = d1 - sigma * math.sqrt(t)
    return spot * normal_cdf(d1) - strike * math.exp(-rate * t) * normal_cdf(d2)


@program([(0.7, 1.3)])
def python_complex(x, y):
    z = complex(x, y)
    w = z * z + 1
    return w.real * w.imag + abs(w)


@program([(V4,), (V3,)])
def builtins_on_arrays(x):
    return sum(x) * max(x) + min(x) ** 2 + abs(x).sum() + len(x) * x[0]


@program([(0.7,)])
def bool_of_float(x):
    y = x * x if bool(x) else 0.0
    return y * any([x > 3, x < 1]) + all([x > 0]) * x


@program([(30.0,), (1e6,)])
def extreme_scales(x):
    return math.log(x) + x / (1 + x)

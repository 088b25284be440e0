"""Straight-line code: expressions and assignments."""

import math

import numpy as np

from tests.golden.case import case
from tests.language.data import V3, W3


@case(1.3, 0.7, wrt=("x", "y"))
def polynomial(x, y):
    u = x * y
    v = u - 3.0 * x
    return u * v + 2.0


@case(V3)
def energy(x):
    return np.sum(x * np.sin(x))


@case(1.3)
def overwritten(x):
    y = x * x
    y = y * math.sin(y)
    y += x
    y *= y
    return y


@case(2.1, 1.7, wrt=("x", "p"))
def power(x, p):
    return x**3 - x**0.5 + x**p


@case(1.2, 0.4, wrt=("r", "theta"))
def scalar_math(r, theta):
    return r * math.cos(theta) + math.log1p(r) * math.atan2(theta, r)


@case(0.4, 2.0)
def conditional_expression(x, y):
    return (x * y if x < y else y - x) + 1.0


@case(1.2, 0.3, wrt=("a", "b"))
def tuple_unpacking(a, b):
    a, b = b, a * b
    (c, d), e = (a + b, a - b), 2.0
    return c * d * e


@case(1.2)
def chained_and_walrus(x):
    a = b = x * x
    return a * (c := math.exp(b)) + c


@case(1.3, 0.5)
def unused_work(x, scale):
    squared = x * x
    message = f"x is {x}"
    cubed = squared * x
    assert scale > 0, message
    return squared * scale


@case(0.3 + 0.4j, 1.0 - 2.0j)
def complex_modulus(z, c):
    w = z * z + c
    return w.real**2 + abs(w) * np.conj(w).imag


@case(V3, W3, wrt=("x", "y"))
def shared_subexpression(x, y):
    distance = np.sqrt(np.sum((x - y) ** 2))
    return distance + 1.0 / distance


@case(V3, W3, wrt=("x", "y"))
def softened_repulsion(x, y):
    d2 = np.sum((x - y) ** 2) + 0.01
    return 1.0 / (d2 * math.sqrt(d2))

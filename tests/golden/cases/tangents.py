"""Tangents, and derivatives of derivatives."""

import math

import numpy as np

from autodiff import grad
from tests.golden.case import case
from tests.language.data import M23, V3, V4


@case(V3, 2.0, wrt=("a", "x"), transform="jvp")
def horner_tangent(a, x):
    y = 0.0
    for k in range(len(a)):
        y = y * x + a[k]
    return y


@case(V4, 0.1, wrt=("u",), transform="jvp")
def heat_tangent(u, r):
    u = u.copy()
    for _ in range(5):
        u[1:-1] += r * (u[2:] - 2 * u[1:-1] + u[:-2])
    return np.sum(u**2)


@case(V3, np.outer(V3, V3) + np.eye(3), wrt=("h", "w"), transform="jvp")
def recurrent_tangent(h, w):
    for _ in range(3):
        h = np.tanh(w @ h)
    return np.linalg.norm(h)


@case(0.7, transform="jvp")
def stack_tangent(x):
    xs = []
    for k in range(3):
        xs.append(x * k)
    total = 0.0
    while xs:
        total = total * math.sin(x) + xs.pop()
    return total


def smooth_rosenbrock(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


case(V4, transform="jvp", name="hessian_product")(grad(smooth_rosenbrock))


def iterated(x):
    for _ in range(4):
        x = x * math.sin(x)
    return x


case(0.8, name="second_derivative")(grad(iterated))
case(0.8, transform="jvp", name="second_derivative_forward")(grad(iterated))


@case(V4, transform="jvp", several=True, name="several_directions")
def running(x):
    y = np.zeros(len(x))
    s = 0.0
    for i in range(1, len(x)):
        y[i] = x[i] * y[i - 1] + np.sin(x[i - 1])
        s = s + y[i] ** 2
    return y * s


case(V4, transform="jvp", several=True, name="hessian")(grad(smooth_rosenbrock))


@case(M23, 0.7, wrt=("m", "s"), transform="jvp", several=True, name="several_broadcast")
def scaled_rows(m, s):
    column = np.sum(m, axis=1)
    table = s * m + column[:, None]
    table[0] = np.tanh(m[1] * s)
    return table.T @ column

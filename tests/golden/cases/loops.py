"""Loops."""

import math

import numpy as np

from tests.golden.case import case
from tests.language.data import M23, M33, P4, V3, V4, W3


@case(V3, 2.0, wrt=("a", "x"))
def horner(a, x):
    y = 0.0
    for k in range(len(a)):
        y = y * x + a[k]
    return y


@case(0.3, 5, wrt=("x",))
def logistic_map(x, n):
    for _ in range(n):
        x = 3.5 * x * (1.0 - x)
    return x


@case(0.3, 3.1, 6, wrt=("x", "r"))
def branched_map(x, r, n):
    for _ in range(n):
        if x > 0.5:
            x = r * x * (1.0 - x)
        else:
            x = r * x * (1.0 - x) + 0.01 * math.sin(x)
    return x


@case(np.array([1.3, 0.7]), V4, P4, wrt=("p",), transform="value_and_grad")
def regression(p, t, y):
    total = 0.0
    for i in range(len(t)):
        difference = p[0] * math.exp(-p[1] * t[i]) - y[i]
        total += difference * difference
    return total / len(t) + 0.1 * p[1] ** 2


@case(1.1, 0.2, 10, wrt=("x", "v"))
def pendulum(x, v, n):
    h = 0.1
    for _ in range(n):
        v = v - h * math.sin(x)
        x = x + h * v
    return 0.5 * v * v - math.cos(x)


@case(M23)
def nested_loops(a):
    total = 0.0
    for i in range(a.shape[0]):
        row = 1.0
        for j in range(a.shape[1]):
            row = row * a[i, j]
        total = total + row * row
    return total


@case(V4)
def branch_in_loop(x):
    s = 1.0
    for k in range(len(x)):
        if x[k] > 0.0:
            s = s * x[k]
        else:
            s = s - x[k]
    return s


@case(0.7)
def while_loop(x):
    y = x
    while y < 10.0:
        y = y * y + x + 1.0
    return y


@case(2.0, 1.0, 1e-12)
def newton(a, x, tol):
    while True:
        step = (x * x - a) / (2.0 * x)
        x = x - step
        if abs(step) < tol:
            break
    return x


@case(P4, 2.0)
def loop_with_break(x, limit):
    s = 0.0
    for v in x:
        if s > limit:
            break
        s = s + v * v
    return s


@case(V4)
def loop_with_continue(x):
    s = 0.0
    for v in x:
        if v < 0.0:
            continue
        s = s + v * v
    return s


@case(P4, 9.0)
def for_else(x, limit):
    s = 1.0
    for v in x:
        s = s * v
        if s > limit:
            break
    else:
        s = s * s
    return s


@case(P4, 1.0)
def return_from_loop(x, limit):
    s = 0.0
    for v in x:
        s = s + v * v
        if s > limit:
            return s * 2.0
    return s


@case(V3, W3, wrt=("x", "y"))
def zipped(x, y):
    s = 0.0
    for a, b in zip(x, y):
        s += a * math.exp(b)
    return s


@case(V3, 0.9)
def enumerated(x, rate):
    s = 0.0
    for k, v in enumerate(x):
        s += v**2 * rate**k
    return s


@case(np.array([0.5, 1.0, -0.2]), 0.1, 20)
def lorenz(state, h, n):
    for _ in range(n):
        x, y, z = state
        rate = np.array([10.0 * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3.0 * z])
        state = state + h * 0.01 * rate
    return np.sum(state**2)


@case(M33 + 5.0 * np.eye(3), V3, 2, wrt=("a", "b"))
def conjugate_gradients(a, b, n):
    x = np.zeros_like(b)
    r = b - a @ x
    p = r
    rs = r @ r
    for _ in range(n):
        ap = a @ p
        alpha = rs / (p @ ap)
        x = x + alpha * p
        r = r - alpha * ap
        new = r @ r
        p = r + new / rs * p
        rs = new
    return x @ b


@case(np.array([0.5, -1.2]), 0.8, 0.1, 20, wrt=("y", "mu"))
def van_der_pol(y, mu, h, n):
    def rate(y):
        return np.array([y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]])

    for _ in range(n):
        middle = y + 0.5 * h * rate(y)
        y = y + h * rate(middle)
    return np.sum(y**2)


@case(np.array([0.1, 0.2, 0.3]), np.array([0.5, -0.2, 0.1, 0.7]))
def arch(params, returns):
    mu, omega, alpha = params
    cost = 0.0
    for t in range(1, len(returns)):
        variance = omega + alpha * (returns[t - 1] - mu) ** 2
        cost += math.log(variance) + (returns[t] - mu) ** 2 / variance
    return cost

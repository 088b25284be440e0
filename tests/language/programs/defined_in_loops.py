"""Arrays that only loops and branches define, and that are read after them or around them."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import F32, M33, V3, V4, V5


@program([(M33, V3, 3), (M33, V3, 1)], analytic=True)
def solved_again_and_again(a, b, n):
    a = a + 4.0 * np.eye(3)
    w = np.ones(3)
    for _ in range(n):
        x = np.linalg.solve(a * w, b)
        w = 1.0 / (1.0 + x**2)
    return x @ x


@program([(M33, V3, V3, 3), (M33, V3, V3, 1)], analytic=True)
def scaled_in_turn(c, a, b, n):
    k = np.exp(-c)
    u = np.ones_like(a)
    for _ in range(n):
        v = np.exp(b) / (k.T @ u)
        u = np.exp(a) / (k @ v)
    return np.sum(u[:, None] * k * v[None, :] * c)


@program([(V5, 3), (V4, 2)], analytic=True)
def of_other_lengths_each_time(x, n):
    y = x
    for _ in range(n):
        half = y[1:] * 2.0
        y = half * half[0]
    return np.sum(half) * np.sum(y)


@program([(V3, 3, True), (V3, 3, False), (V3, 0, True)], analytic=True)
def on_one_branch_of_a_loop(x, n, first):
    y = x * 1.0
    last = x * 0.5
    for k in range(n):
        if first or k > 1:
            last = np.sin(y) * last
        y = y + last * x
    return np.sum(y) + np.sum(last)


@program([(V3, 3), (V3, 1)], analytic=True)
def the_one_of_the_round_before(x, n):
    y = x * 1.0
    for k in range(n):
        if k > 0:
            y = y * old  # noqa: F821 (defined by the round before)
        old = np.cos(y)
    return np.sum(y * old)


@program([(V3, 4), (V3, 2)], analytic=True)
def in_an_inner_loop(x, n):
    s = 0.0
    for k in range(n):
        t = x * (k + 1.0)
        for _ in range(k + 1):
            q = np.cos(t)
            t = t + 0.1 * q * x
        s = s + np.sum(q * t)
    return s * np.sum(q)


@program([(V3, 3), (V4, 1)], analytic=True)
def a_broadcast_number(x, n):
    y = x * 1.0
    for _ in range(n):
        mean = np.sum(y) * np.ones(len(x))
        y = y - mean * x
    return np.sum(mean) + np.sum(mean * y)


@program([(F32, 3)], analytic=False)
def in_single_precision(x, n):
    y = x * np.float32(1.0)
    for _ in range(n):
        z = np.sin(y)
        y = y + z * x
    return np.sum(z * y)


@program([(V3, 3, 2), (V3, 1, 0)], analytic=False)
def left_by_break(x, n, stop):
    y = x * 1.0
    for k in range(n):
        z = y * x
        if k == stop:
            break
        y = y + np.sin(z)
    return np.sum(z * y)


@program([(V3, True), (V3, False)], analytic=True)
def one_name_on_each_branch(x, first):
    if first:
        a = x**2
        total = np.sum(a * x)
    else:
        b = np.sin(x)
        total = np.sum(b)
    if first:
        total = total * np.sum(a)
    return total

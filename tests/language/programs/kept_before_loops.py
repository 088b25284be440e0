"""Values from before a loop that the loop gives up, and needs or does not need itself."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import V3, V4


@program([(V3, 3), (V4, 0), (V4, 1)], analytic=True)
def sums_after_products(x, n):
    y = x**2
    z = np.sin(y)
    for _ in range(n):
        y = y + z * 0.1
    w = y * y
    for _ in range(n):
        for _ in range(2):
            y = y - w
            z = z * x
        y = y + z
    return np.sum(y) + np.sum(z)


@program([(V3, 3), (V4, 0)], analytic=True)
def inner_loops(x, n):
    s = 0.0
    for k in range(n):
        t = x * (k + 1)
        u = np.sin(t)
        for _ in range(3):
            t = t + 0.1 * u
        s = s + np.sum(t)
        v = 0.1 * t * s
        for _ in range(2):
            t = t - 0.1 * s
        s = s + np.sum(np.sin(t) * v)
    return s


@program([(V3, 2, True), (V3, 2, False), (V3, 0, True)], analytic=True)
def on_one_branch(x, n, first):
    y = np.cos(x)
    q = y * x
    if first:
        for _ in range(n):
            y = y + 2 * x
    else:
        y = q
    return np.sum(y * q)


@program([(V3, 2), (V3, 0)], analytic=True)
def needed_to_compute_again(x, n):
    c = x[0]
    y = x * c * c
    for _ in range(n):
        c = c + 1.0
        d = c * 2.0
        y = y * d
    return np.sum(y)


@program([(V3, 2), (V4, 0)], analytic=True)
def needed_by_the_loop_after(x, n):
    y = x**2
    z = y * y
    for _ in range(n):
        y = y + z
    for _ in range(n):
        z = z * y
        y = y - x
    return np.sum(z * y)


@program([(V3, 5), (V4, 0), (V4, 1)], analytic=True)
def left_early(x, n):
    y = np.exp(-x)
    q = y * y
    for k in range(n):
        if k == 2:
            break
        y = y + q
    else:
        y = y * 3.0
    return np.sum(y * q)


@program([(V3, 3), (V4, 0)], analytic=True)
def changed_in_place_before(x, n):
    y = x * 1.0
    y[0] = y[1] * y[2]
    z = y * y
    for _ in range(n):
        y = y + z
    return np.sum(y * z)


@program([(V3, 3), (V4, 0)], analytic=True)
def changed_in_place_in_the_loop(x, n):
    y = x * 1.0
    z = y * y
    for _ in range(n):
        y[1:] = y[:-1] + z[1:]
        y = y + z
    return np.sum(y * z)


@program([(1.2, 3), (0.4, 0)], analytic=True)
def numbers_until_they_are_large(x, n):
    y = x * x
    z = np.sin(y)
    k = 0
    while k < n:
        y = y + z
        k = k + 1
    return y * z

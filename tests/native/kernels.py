"""Kernels as users of Numba write them: views, tuples, `break`, ints, pivots."""

import math

import numpy as np
import pytest

numba = pytest.importorskip("numba")
prange = numba.prange


def view_row_mutated(m):
    a = m.copy()
    for i in range(a.shape[0]):
        row = a[i]
        row[0] = row[1] * row[2]
        row[1:] *= row[0]
    return np.sum(a * a)


def view_column_chain(m):
    a = m.copy()
    c = a[:, 1]
    d = c[::-1]
    d[0] = c[0] * d[1]
    e = d[1:3]
    e += c[:2]
    return np.sum(a**3) + np.sum(c * d)


def tuple_state(x, n):
    s = (x, 1.0, 0.5)
    for k in range(n):
        a, b, c = s
        s = (a * b, b + c * a, math.sin(c))
    return s[0] + s[1] * s[2]


def tuple_return(x):
    def both(a, b):
        return a * b, a + b

    p, q = both(x[0], x[1])
    p, q = both(q, p)
    r = both(p, x[2])
    return r[0] * r[1]


@numba.njit
def clamp(x, lo, hi):
    if x < lo:
        return lo
    if x > hi:
        return hi
    return x


def clamped(x):
    total = 0.0
    for i in range(len(x)):
        total += clamp(x[i] * x[i], 0.6, 1.4) * x[i]
    return total


@numba.njit
def first_above(x, bound):
    for i in range(len(x)):
        if x[i] > bound:
            return i
    return -1


def search(x):
    i = first_above(x, 0.9)
    return x[i] * x[i - 1] + x[-1]


def while_break(x):
    total = 0.0
    k = 0
    while True:
        v = x[k] * x[k]
        total += v
        if total > 3.0 or k == len(x) - 1:
            break
        total *= v + 0.5
        k += 1
    return total * v


def while_continue(x):
    k = -1
    total = 1.0
    while k < len(x) - 1:
        k += 1
        if k % 3 == 1:
            continue
        total *= x[k] + total * 0.1
    return total


def nested_break(m):
    total = 0.0
    for i in range(m.shape[0]):
        acc = 1.0
        for j in range(m.shape[1]):
            acc *= m[i, j]
            if acc > 1.2:
                break
        else:
            acc = acc * acc
        total += acc * m[i, j]
    return total


def int_arith(x):
    n = len(x)
    total = 0.0
    for i in range(n):
        j = (i * 5 + 3) % n
        k = -i // 2
        total += x[j] * x[k] * (i // 3) + (i & 3) * x[j] / (1 + (i ^ j))
    return total


def neg_mod(x):
    total = 0.0
    for i in range(-3, 4):
        total += x[i % 5] * (i % -3) + x[(-i) % 7] ** (i // 2)
    return total


def int_power(x):
    total = 0.0
    for i in range(1, 5):
        total += x[i] ** i + x[0] ** -i
    return total


def prefix_sum(x):
    a = x.copy()
    for i in range(1, len(a)):
        a[i] += a[i - 1] * a[i]
    return a[-1] * a[2]


def swap_elements(x):
    a = x.copy()
    for i in range(len(a) // 2):
        a[i], a[-1 - i] = a[-1 - i] * 2.0, a[i]
    return np.sum(a * np.arange(len(a)))


def bubble(x):
    a = x.copy()
    for i in range(len(a)):
        for j in range(len(a) - 1 - i):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
    return np.sum(a * a * np.arange(len(a)))


def gauss(s, b):
    a = s.copy()
    x = b.copy()
    n = len(x)
    for k in range(n):
        p = k
        for i in range(k, n):
            if abs(a[i, k]) > abs(a[p, k]):
                p = i
        if p != k:
            for j in range(n):
                t = a[k, j]
                a[k, j] = a[p, j]
                a[p, j] = t
            x[k], x[p] = x[p], x[k]
        for i in range(k + 1, n):
            f = a[i, k] / a[k, k]
            a[i, k:] -= f * a[k, k:]
            x[i] -= f * x[k]
    for i in range(n - 1, -1, -1):
        x[i] = (x[i] - np.dot(a[i, i + 1 :], x[i + 1 :])) / a[i, i]
    return np.sum(x * x)


def distance(m):
    n = m.shape[0]
    total = 0.0
    for i in range(n):
        for j in range(i):
            d = m[i] - m[j]
            total += math.sqrt(np.dot(d, d))
    return total


def min_max_num(x):
    best = x[0]
    worst = 1e9
    for i in range(len(x)):
        best = max(best, x[i] * x[i])
        worst = min(worst, x[i], best)
    return best * worst


RNG = np.random.default_rng(1)
V = RNG.uniform(0.5, 1.5, 7)
W = RNG.uniform(0.5, 1.5, 7)
M = RNG.uniform(0.5, 1.5, (4, 5))
S = RNG.uniform(0.5, 1.5, (4, 4)) + 4 * np.eye(4)
T = RNG.uniform(0.5, 1.5, (2, 3, 4))
CASES = [
    (view_row_mutated, (M,), (0,)),
    (view_column_chain, (M,), (0,)),
    (
        tuple_state,
        (
            0.7,
            4,
        ),
        (0,),
    ),
    (tuple_return, (V,), (0,)),
    (clamped, (V,), (0,)),
    (search, (V,), (0,)),
    (while_break, (V,), (0,)),
    (while_continue, (V,), (0,)),
    (nested_break, (M,), (0,)),
    (int_arith, (V,), (0,)),
    (neg_mod, (V,), (0,)),
    (int_power, (V,), (0,)),
    (prefix_sum, (V,), (0,)),
    (swap_elements, (V,), (0,)),
    (bubble, (V,), (0,)),
    (
        gauss,
        (
            S,
            V[:4],
        ),
        (0, 1),
    ),
    (distance, (M,), (0,)),
    (min_max_num, (V,), (0,)),
]
"""Function, arguments, with respect to what."""

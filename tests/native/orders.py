"""Loops of which the order of the iterations matters in the reverse sweep, or does not."""

import numpy as np


def independent(x):
    y = x.copy()
    for i in range(len(x)):
        y[i] = y[i] * y[i] + 0.1 * x[len(x) - 1 - i]
    for i in range(2, len(x) - 1):
        y[i] = y[i] ** 3 * x[i - 2] * x[i + 1]
    return np.sum(y)


def chained(x):
    y = x.copy()
    for i in range(1, len(x)):
        y[i] = y[i] * y[i - 1]
    for i in range(len(x) - 1):
        y[i] = y[i + 1] * 0.5 + y[i] ** 2
    return np.sum(y * y)


def wrapped(x):
    """The index -1 is the last element, which a later iteration stores to."""
    y = x.copy()
    for i in range(len(x)):
        y[i - 1] = y[i - 1] ** 2 * x[i]
    for i in range(-2, 3):
        y[i] = y[i] ** 2 + x[i]
    return np.sum(y * x)


def repeated(x, index):
    y = x.copy()
    for i in range(len(index)):
        y[index[i]] = y[index[i]] ** 2 * x[i]
    s = 0.0
    for i in range(len(index)):
        s += x[index[i]] ** 3
    return s + np.sum(y)


def views(m):
    a = m.copy()
    for k in range(1, 3):
        row, before = a[k], a[k - 1]
        for j in range(len(row)):
            row[j] = row[j] * before[j] + before[j - 1]
        for j in range(len(row) - 1):
            row[j] = a[k, j + 1] * row[j]
    return np.sum(a * a)


def carried(x):
    s, t, last = 1.0, 0.0, 0.0
    for i in range(len(x)):
        s = s * x[i] + t
        t = x[i] ** 2
        last = t
    k = 0
    for i in range(len(x)):
        z = x[k] * x[i]
        k = (k + 3) % len(x)
        t += z * z
    return s * t * last * x[i]


def kept_in_nests(x, n):
    y = x.copy()
    for t in range(n):
        for i in range(1, len(x) - t):
            y[i] = y[i] ** 2 * x[t]
        for i in range(3, len(x) - 3):  # runs for no i
            y[i] = y[i] ** 3
        for i in range(len(x)):
            z = y[i] * y[i]
            y[i] = z * x[i] + 0.1
    return np.sum(y)


def neighbours(x, n):
    """Adjoints that are added to several places, of which some could wait for others."""
    u, w = x.copy(), x.copy()
    c = 0.3
    for _ in range(n):
        for i in range(1, len(u) - 1):
            w[i] = u[i] - c * u[i] * (u[i] - u[i - 1]) + 0.1 * u[i + 1]
        for i in range(len(u) - 1):
            u[i] = w[i] * w[i + 1]
    return np.sum(u * w)


def neighbours_in_planes(m):
    a, b = m.copy(), m.copy()
    for i in range(1, a.shape[0]):
        for j in range(1, a.shape[1] - 1):
            b[i, j] = a[i, j + 1] * a[i - 1, j] - a[i, j - 1] * 0.5
    return np.sum(b * b * m)


def wrapped_neighbours(x):
    """The first and the last iteration store to one element."""
    u, w = x.copy(), x.copy()
    for i in range(-2, len(x) - 1):
        w[i] = u[i] * u[i] + 0.5 * u[i + 1] * w[i]
    return np.sum(w * w)


def divided(u, h, c, n):
    """What is added to h and c has them as divisors and factors."""
    v = u.copy()
    total = 0.0
    for _ in range(n):
        for i in range(1, len(u) - 1):
            v[i] = u[i] + (u[i + 1] - 2.0 * u[i] + u[i - 1]) * c / h**2 - u[i] * u[i - 1] / c
        for i in range(1, len(u) - 1):
            total -= v[i] * v[i] / h
    return total


def running_divisor(x, h):
    """The divisor changes in the loop, and the sum is read in it."""
    y, s = x.copy(), 1.0
    for i in range(1, len(x)):
        h = h + 0.1 * x[i]
        y[i] = x[i] * x[i - 1] / h
        s = s + s * y[i] / x[0]
    return s * h


def pairs(x, w):
    """Two elements that may be one are added to, in a branch in a branch."""
    total = 0.0
    for i in range(len(x)):
        for j in range(len(x)):
            if i != j:
                d = x[i] - x[j]
                total += d * d * d * w[j]
                if i + j != 3:
                    total += x[j] * x[i]
    return total


def chained_branches(x):
    y = x.copy()
    for i in range(1, len(x)):
        if i != 2:
            y[i] = y[i] * y[i - 1]
    return np.sum(y * y)


def carried_branches(x):
    """What a branch sets is read in later iterations, and decides about them."""
    y, t, s = x.copy(), 1.0, 1.0
    for i in range(len(x)):
        if x[i] > 0.5:
            t = x[i] * x[i]
        y[i] = y[i] * t
        if s > 1.2:
            y[i] = y[i] ** 2
        s = s * x[i] + t
    return np.sum(y) * s


def recorded_branches(x):
    y = x.copy()
    for _ in range(2):
        for i in range(len(x)):
            if x[i] > 0.5:
                y[i] = y[i] ** 3 * x[i - 1]
    return np.sum(y)


V = np.array([0.9, -0.7, 1.1, 0.4, 1.2])
CASES = [
    (independent, (V,), (0,)),
    (chained, (V,), (0,)),
    (pairs, (V, V[::-1].copy()), (0, 1)),
    (chained_branches, (V,), (0,)),
    (carried_branches, (V,), (0,)),
    (recorded_branches, (V,), (0,)),
    (wrapped, (V,), (0,)),
    (repeated, (V, np.array([3, 0, 3, 1])), (0,)),
    (views, (np.outer(V[:3], V) + 1.0,), (0,)),
    (carried, (V,), (0,)),
    (neighbours, (V, 3), (0,)),
    (neighbours_in_planes, (np.outer(V[:3], V) + 1.0,), (0,)),
    (wrapped_neighbours, (V,), (0,)),
    (kept_in_nests, (V, 2), (0,)),
    (divided, (V, 0.3, 0.7, 2), (0, 1, 2)),
    (running_divisor, (V, 0.4), (0, 1)),
]
"""Function, arguments, with respect to what."""

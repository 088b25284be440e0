"""Programs with lists of numbers that grow, shrink and change while loops run."""

import math

import numpy as np


def recorded(x, n):
    xs = []
    for _ in range(n):
        x = x * 1.1 + 0.1 * x * x
        xs.append(x)
    a = np.array(xs)
    return np.sum(a * a) + sum(v * v for v in xs) + max(xs) * min(xs)


def recurrence(x, n):
    f = [x, x * x]
    for i in range(2, n):
        f.append(0.5 * f[i - 1] + f[i - 2] * x)
    return sum(f) * f[-1] + f[0] * f[n // 2]


def selected(x):
    places, squares = [], []
    for i in range(len(x)):
        if x[i] > 1.0:
            squares.append(x[i] * x[i])
            places.append(i)
    total = 0.0
    for k, square in enumerate(squares):
        total += square * x[places[k]] * (k + 1)
    return total


def stack(x):
    waiting = []
    s = 1.0
    for i in range(len(x)):
        if x[i] > 1.0:
            waiting.append(x[i] * s)
        elif len(waiting) > 0:
            s = s * waiting.pop() + x[i]
    while waiting:
        s += waiting.pop() ** 2
    return s


def growing_while_read(x, n):
    """The inner loop is longer each time: nobody knows before how much it records."""
    xs = [x]
    s, t = 0.0, 1.0
    for _ in range(n):
        xs.append(xs[-1] * 0.9 + 0.1 * x)
        m = len(xs) * 0.5
        for v in xs:
            t = math.sin(t * v) + m
        for j in range(len(xs)):
            s += math.sin(xs[j]) * xs[j] * m
            xs[j] = xs[j] * s * 0.1
    return s * t


def growing_in_a_nest(x, n):
    xs = []
    t = 1.0
    for k in range(n):
        xs.append(x / (k + 1))
        for j in range(len(xs)):
            t = math.sin(t * xs[j]) + 1.0
    return t


def two_names(x, n):
    a = [x]
    b = a
    for _ in range(n):
        b.append(a[-1] * x)
        a[0] = b[-1] * 0.5
    c = [x * x] * n
    for i in range(n):
        c[i] = c[i] * (i + x)
    return a[0] + b[-2] * len(b) + c[0] * c[-1]


def of_known_length(x, n):
    q = [0.0] * n
    for i in range(n):
        for j in range(i):
            q[i] += math.sin(x * j) * q[j] + x
        q[i] *= 0.9
    p = list(q)
    p.append(x)
    q[0] = p[-1] * p[1]
    return sum(q) + q[n // 2] * p[0]


def one_for_each_row(m):
    total = 0.0
    for i in range(m.shape[0]):
        row = []
        for j in range(m.shape[1]):
            if m[i, j] > 0.8:
                row.append(m[i, j] * total + m[i, j])
        for v in row:
            total += v * v * 0.1
    return total


def comprehensions(x):
    ys = [math.sin(v) for v in x]
    zs = [y * y for y in ys if y > 0.2]
    return sum(zs) + sum(a * b for a, b in zip(ys, x))


V = np.array([0.9, 1.3, 1.1, 0.4, 1.2, -0.3])
CASES = [
    (recorded, (0.3, 5), (0,)),
    (recurrence, (0.7, 8), (0,)),
    (selected, (V,), (0,)),
    (stack, (V,), (0,)),
    (growing_while_read, (0.7, 5), (0,)),
    (growing_in_a_nest, (0.7, 40), (0,)),
    (two_names, (0.7, 4), (0,)),
    (of_known_length, (0.3, 6), (0,)),
    (one_for_each_row, (np.outer(V, V) + 0.5,), (0,)),
    (comprehensions, (V,), (0,)),
]
"""Function, arguments, with respect to what."""

"""Programs whose adjoint code adds to elements and numbers in several steps."""

from __future__ import annotations

import math

import numpy as np
import pytest

numba = pytest.importorskip("numba")


def several(x, y):
    """`y` gets its adjoint from three statements, none of which lies between reads of it."""
    total = 0.0
    for i in range(len(x)):
        a = x[i] * y
        b = a * x[i] + a * y
        total += a * b + b * a * a
    return total


def straight(x, y):
    """The first block of the reverse sweep has a title above it."""
    a = x * y
    b = math.sin(a) * a + x
    c = b * a * x
    return c * b + a * c


def overwritten(x, c):
    """What the first part of an adjoint reads is put back before the second part is there."""
    y = x.copy()
    total = 0.0
    for i in range(1, len(y)):
        a = y[i] * c
        b = a * y[i - 1]
        y[i] = b * y[i] + a
        total += a * b * y[i]
    return total


def rebound(x, c):
    total = 0.0
    for i in range(len(x)):
        a = x[i] * c
        c = c * 0.9 + a * a
        a = a * c
        total += a * c * x[i] + a
    return total


def in_place(x, c):
    """A view is changed as a whole while the adjoints of its elements are put together."""
    y = x.copy()
    half = y[1:]
    total = 0.0
    for _ in range(3):
        a = y[1] * c
        half *= 0.5
        b = a * y[2] + a * c
        half += c
        total += a * b + y[1] * b
    return total


def from_the_end(x, places):
    """Indices that count from the end, of rows and columns."""
    total = 0.0
    for k in range(len(places)):
        i = places[k]
        total += x[i, -1] * x[i, 0] ** 2 + x[0, i] * x[-1, 1]
    return total


@numba.njit
def halved(x, i):
    x[i] *= 0.5
    return x[i]


def changed_inside(x, c):
    """A jitted function that changes the element which its result is added to."""
    y = x.copy()
    total = 0.0
    for i in range(len(y)):
        y[i] += halved(y, i)
        total += y[i] * c
    return total


def rooted(x):
    """A loop that runs once: its tapes are read where its counter says."""
    total = 0.0
    for i in range(len(x)):
        y = math.sin(x[i])
        total += math.exp(y * y) * y
    return total


def counted(x, n):
    """A count of the user's that looks like one of a tape."""
    y = np.zeros(len(x))
    k = 0
    for i in range(n):
        y[k] = math.sin(x[i]) * x[i]
        k += 1
    k -= 2
    z = y[k:]
    return z[0] * x[0] + z[1]


def counted_twice(x, n):
    y = np.zeros(len(x) + 1)
    k = 0
    for i in range(1, n):
        k += 1
        y[k] = math.sin(x[i]) * x[i]
    k -= len(range(1, n))
    z = y[k:]
    return z[0] * x[0] + z[1]


def counted_late(x, n):
    y = np.zeros(len(x) + 1)
    k = 0
    for i in range(n):
        y[k] = math.sin(x[i]) * x[i]
        k += 1
    n = n - 1
    k -= len(range(n))
    z = y[k:]
    return z[0] * x[0] + z[1]


X = np.array([0.3, -0.7, 1.1, 0.4, -0.2])
SQUARE = np.array([[0.3, -0.7, 1.1], [0.9, 0.2, -0.4], [0.5, 1.3, -1.2]])
PLACES = np.array([0, -1, 2, -3, 1])

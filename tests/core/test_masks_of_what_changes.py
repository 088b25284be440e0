"""What chooses where memory is written, computed from that memory: it is there before the write is
undone.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import linalg

from autodiff import AutodiffError, grad
from tests.core.differences import check, differences

X, Y = np.array([0.31, 0.82, 1.17, 0.53]), np.array([0.9, 0.25, 0.66, 1.4])


def mask(x, y):
    a, b = x.copy(), y * x
    for _ in range(2):
        a[a > 0.6] *= b[-2]
    np.copyto(a, b)
    return np.sum(a**2) + np.sum(b)


def mask_by_name(x, y):
    a, b = x.copy(), y * x
    for _ in range(2):
        chosen = a > 0.6
        a[chosen] *= b[-2]
        b[1:] = b[:-1]
    a[...] = a * b
    return np.sum(a**2) + np.sum(b)


def place(x, y):
    a, b = x.copy(), y * x
    for _ in range(3):
        k = int(a[0] * 3)
        a[k] *= b[-2]
        a[0] += 0.3 * b[0]
        b[1:] = b[:-1]
    np.copyto(a, b)
    return np.sum(a**2) + np.sum(b)


def end(x, y):
    a, b = x.copy(), y * x
    for _ in range(2):
        n = int(np.sum(a) * 1.2)
        a[:n] *= b[-2]
        b[1:] = b[:-1]
    np.copyto(a, b)
    return np.sum(a**2) + np.sum(b)


def branch(x, y):
    a, b = x.copy(), y * x
    for _ in range(3):
        if a[0] > 0.2:
            a[0] *= b[0]
            a[a > 1.0] -= a[0]
        b[1:] = b[:-1]
    np.copyto(a, b)
    return np.sum(a**2) + np.sum(b)


def of_another_array(x, y):
    a, b = x.copy(), y * x
    for _ in range(3):
        a[b > 0.3] *= b[-2]
        b[a > 0.7] *= a[1]
    np.copyto(a, b)
    return np.sum(a**2) + np.sum(b)


def in_front(x, y):
    a, b = x.copy(), y * x
    for _ in range(3):
        chosen = a > 0.6
        a[1] *= 0.4
        a[chosen] *= b[-2]
        a[chosen] += 0.1 * b[0]
    np.copyto(a, b)
    return np.sum(a**2) + np.sum(b)


@pytest.mark.parametrize(
    "function",
    [mask, mask_by_name, place, end, branch, of_another_array, in_front],
    ids=lambda own: own.__name__,
)
def test_undone(monkeypatch, function):
    check(monkeypatch, function, X, Y)


def largest(x, y):
    z = x * y
    largest_z, least_z = max(z), min(z * 2)
    z *= 0.5
    return largest_z * np.sum(z) + least_z * z[0]


def largest_by_rows(x, y):
    total = 0.0
    m = np.outer(x, y)
    for row in m * 2:
        total += max(row) * min(row)
        row[:] = total
    return total + max(x * 2) * min(3 * y)


@pytest.mark.parametrize("function", [largest, largest_by_rows])
def test_max_of_what_changes(monkeypatch, function):
    check(monkeypatch, function, X, Y)


def test_powers_of_what_changes():
    def function(x):
        z = x * 1.0
        y = np.linalg.matrix_power(z, 2)
        z *= 0.5
        return np.sum(y**2) + np.sum(z)

    m = np.array([[0.5, 0.3], [0.2, 0.7]])
    try:
        found = grad(function)(m)
    except AutodiffError:
        return
    np.testing.assert_allclose(found, differences(function, (m,)), rtol=1e-5)


def test_what_scipy_reads_changes():
    def function(x):
        z = x * 1.0
        h = linalg.hessenberg(z)
        z += 1.0
        return np.sum(h * np.arange(9.0).reshape(3, 3))

    m = np.array([[4.0, 1.0, 0.5], [0.7, 3.0, 0.2], [0.5, 0.2, 2.0]])
    try:
        found = grad(function)(m)
    except AutodiffError:
        return
    np.testing.assert_allclose(found, differences(function, (m,)), rtol=1e-5, atol=1e-5)


def masks_of_no_axis(x):
    a, b = np.broadcast_arrays(x, 2.0)
    y = np.full_like(a, np.nan, dtype=np.float64)
    low, high = a == 5.0, b > a
    y[low] = a[low] * b[low]
    y[high] = a[high] ** 2 * b[high] + y[~low].size
    y[a > 0.0] *= 3.0
    return y


def truth_values_as_masks(x):
    y = x * x
    found = x[0] > 0.3
    y[found] = 2.0 * x
    y[found and x[1] < 0.0] += 1.0
    return np.sum(y[x[2] > 0.0] * x)


def where_of_no_axis(x):
    y = np.full_like(x, 0.5)
    np.multiply(x, x, where=~np.isnan(x), out=y)
    return y * x


def where_of_one_truth_value(x):
    y = np.full_like(x, 0.5)
    np.multiply(x, x, where=x[0] > 0.3, out=y)
    return np.sum(y * x)


SINGLE = [
    (masks_of_no_axis, 0.7),
    (truth_values_as_masks, X),
    (where_of_no_axis, 0.7),
    (where_of_one_truth_value, X),
    (where_of_one_truth_value, -X),
]


@pytest.mark.parametrize(("f", "x"), SINGLE)
def test_truth_values_are_masks(f, x, monkeypatch):
    check(monkeypatch, f, x)

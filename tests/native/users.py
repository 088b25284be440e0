"""Programs as users of Numba write them: what was refused, or wrong, before."""

import math

import numpy as np
import pytest

from tests.benchmarks import cavity

numba = pytest.importorskip("numba")
prange = numba.prange

TABLE = np.array([1.0, 2.0, 0.5])
STENCIL = ((-1, 1.0), (0, -2.0), (1, 1.0))


def special_functions(x, y):
    z = math.erf(x) + math.erfc(x * y) + math.copysign(x, -y) + math.pow(x, y) + math.log2(x)
    z += math.asinh(x) + math.acosh(x + 1.0) + math.atanh(y) + math.log10(x)
    if math.isnan(z) or math.isinf(z):
        return 0.0
    steps = math.floor(5.0 * x) * y + math.ceil(y) * x + math.trunc(4.0 * x) * y
    return z + math.degrees(x) * math.radians(y) + steps + round(3.5 * x) * y


def checked(x):
    total = 0.0
    for i in range(len(x)):
        assert x[i] < 100.0, "too large"
        if x[i] < -100.0:
            raise ValueError("too small")
        q, r = divmod(7 * i, 4)
        total += x[i >> 1] * x[(i & 1) | 2] * (1 << i) + q * x[r] ** 2
    return total + np.sum(np.where((x > 0.3) & (x < 1.0) | (x < -0.5), x * x, x))


def in_parallel(m):
    total = 0.0
    for i in prange(m.shape[0]):
        for j in numba.prange(m.shape[1]):
            total += m[i, j] * m[i - 1, j]
    return total


def constants(x):
    total = np.sum(x[:3] * TABLE)
    for offset, weight in STENCIL:
        total += weight * x[1 + offset] ** 2 * TABLE[offset]
    return total


def views_of_other_shapes(m):
    a = m.copy()
    flat = a.reshape(a.size)
    flat[3] = flat[4] * flat[5]
    a[0, 0] = flat[3] * 2.0
    copy = m.flatten()
    copy[1] = copy[0] * copy[2]
    turned = np.fliplr(a)
    turned[0] = turned[1] * turned[0]
    a[:, 0] *= 2.0
    return np.sum(flat * flat) + np.sum(copy**3) + np.sum(turned[::-1] * m.reshape(m.shape))


def joined(x, w):
    y = np.concatenate((x, w * x, x[::2]))
    z = np.concatenate([y[:4], x])
    z[0] = z[1] * z[4]
    pair = np.stack((x, w), axis=1)
    for i in range(2):
        y = np.hstack((y, y[1:] * x[i]))
    both = np.vstack((x, w)) * np.column_stack((w, x)).T
    return np.sum(z * z) + np.sum(pair @ pair.T) + np.sum(y) + np.sum(both)


def ordered(x):
    y = np.sort(x) * np.arange(len(x)) + x[np.argsort(x)] * np.cumprod(x)
    y[1] = np.prod(x) * np.std(x) + x.var() + np.sum(np.diff(x * x) ** 2)
    ties = np.array([1.0, 0.5, 1.0, 0.5]) * x[0]
    return np.sum(y * y) + np.sum(np.sort(ties) * np.arange(4.0) ** 2) + np.sum(np.repeat(x, 2))


def with_zeros(x):
    return np.prod(x) + np.sum(np.cumprod(x) * np.arange(len(x)))


def stored_at_indices(x, index):
    y = x * x
    y[index] = x[1:] ** 3
    z = np.ones(len(x))
    z[index] *= x[: len(index)]
    return np.sum(y * x * z)


def rotated(a, b):
    turn = np.array([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]])
    y = np.array((a, b))
    for _ in range(4):
        k = np.array([y[1], -y[0] * b])
        m = y + 0.05 * k
        y += 0.1 * np.array([m[1], -m[0] * b])
    return np.sum((turn @ y) ** 2 * np.array([1, 2.0]))


def factorised(a):
    lower = np.linalg.cholesky(a @ a.T)
    y = np.linalg.solve(lower, a[0])
    return np.sum(y * y) + np.sum(np.log(np.diag(lower))) + np.trace(a[1:] @ a[:, 1:])


def determinants(a):
    sign, logarithm = np.linalg.slogdet(a)
    return np.linalg.det(a) + sign * logarithm + np.trace(np.triu(a) @ np.tril(a))


def singular(a):
    return np.linalg.det(a)


def spectral(a):
    w, v = np.linalg.eigh(a + a.T)
    return np.sum(v[:, 0] ** 2 * a[0]) + np.sum(w**3) + np.sum(np.linalg.eigvalsh(a.T + a) ** 3)


def windows_of_sizes(x):
    y = x.copy()
    total = 0.0
    for i in range(1, len(x)):
        total += np.sum(y[:i] * y[len(x) - i :])
        y[i:] *= y[i - 1]
    return total


def filled_rows(m):
    return np.sum(m.sum(-1) ** 2) + np.sum((m - m.mean(axis=0)) ** 2 / (m.std() + 1.0))


RNG = np.random.default_rng(7)
V = np.array([0.3, -0.7, 1.1, 0.4, 0.9, -0.2])
W = RNG.uniform(0.5, 1.5, size=6)
M = RNG.uniform(0.2, 1.0, size=(4, 5))
S = RNG.uniform(0.2, 1.0, size=(3, 3)) + 3.0 * np.eye(3)
CASES = [
    (special_functions, (0.7, 0.3), (0, 1)),
    (checked, (V,), (0,)),
    (in_parallel, (M,), (0,)),
    (constants, (V,), (0,)),
    (views_of_other_shapes, (M,), (0,)),
    (joined, (V, W), (0, 1)),
    (ordered, (W,), (0,)),
    (with_zeros, (np.array([1.5, 0.0, 2.0, 0.0]),), (0,)),
    (stored_at_indices, (V, np.array([-1, 0, -6, 2, 5])), (0,)),
    (rotated, (0.3, 0.5), (0, 1)),
    (factorised, (S,), (0,)),
    (determinants, (S,), (0,)),
    (singular, (np.array([[1.0, 2.0], [2.0, 4.0]]),), (0,)),
    (spectral, (S,), (0,)),
    (windows_of_sizes, (V,), (0,)),
    (filled_rows, (M,), (0,)),
    (cavity.energy, (1.0, 0.1, 0.1 * M @ M.T, 1.0, 0.001, 0.25, 0.25, 2, 2), (0, 1, 2)),
]
"""Function, arguments, with respect to what."""

"""Programs that call what `autodiff/native/vocabulary.py` lists, many functions in each."""

import math

import numpy as np


def ufuncs_of_one(x):
    y = np.sum(np.log2(x) + np.log10(x) * np.exp2(x) + np.arcsinh(x) + np.arccosh(x + 1.0))
    y += np.sum(np.arctanh(0.1 * x) + np.floor(x) * x + np.ceil(x) * np.trunc(x) * x)
    return y + np.sum(np.where(np.isfinite(x), x, 0.0) + np.where(np.isnan(x), 0.0, x))


def ufuncs_of_two(x, y):
    a = np.logaddexp(x, y) + np.copysign(x, -y) + np.fmax(x, y) * np.fmin(x, 2.0)
    near = np.logical_and(np.less(x, y), np.greater_equal(x, 0.5))
    far = np.logical_or(np.equal(x, y), np.logical_not(np.not_equal(x, y)))
    b = np.where(near, a, 2.0 * a) + np.where(far, x, np.clip(y, 0.2, 0.8))
    return np.sum(b * np.where(np.less_equal(x, 0.7), 1.0, np.where(np.greater(y, x), x, y)))


def reductions(x, y):
    a = np.sum(x, axis=0) * np.mean(x, axis=0)
    b = np.sum(x, axis=1, keepdims=True) + np.mean(x, axis=1, keepdims=True)
    z = np.sum(y, axis=-2) + np.max(y) * np.mean(y) - np.min(y)
    shifted = np.exp(x - np.max(x, axis=1, keepdims=True))
    c = shifted / np.sum(shifted, axis=1, keepdims=True)
    return np.sum(a) + np.sum(b * b) + np.sum(z) + np.sum(c * x)


def products(a, b, v, w):
    c = (a @ b) * np.matmul(a, b)
    d = (a @ v) * w
    e = np.einsum("ij,jk->ik", a, b) * (b.T @ a.T).T
    return np.sum(c * c) + np.sum(d * d) + np.sum(e * c) + np.linalg.norm(v) * (w @ a) @ v


def rows(a, b, v):
    """Sums along the last axis, which are products of rows in the derivative."""
    s = np.sum(a * a * b, axis=1)
    t = np.sum(a * v * v, axis=1)
    m = a.reshape(2, -1, 2)
    u = np.sum(m * m * m, axis=-1)
    return np.sum(s * s) + np.sum(t * t) + np.sum(u * u) + np.sum(np.sum(b * b, axis=0) ** 2)


def algebra(a, b):
    c = a + 4.0 * np.eye(3)
    return np.sum(np.linalg.solve(c, b)) + np.sum(b * np.linalg.inv(c))


def created(x):
    n = len(x)
    a = np.zeros((n, 2), dtype=float)
    a[:, 0] = x
    a[:, 1] = np.arange(n) * x + np.linspace(0.0, 1.0, n)
    b = np.full(n, 2.0) + np.full_like(x, 3.0) + np.ones(n, dtype=int)
    c = np.array([1.0, 2.0, 0.5, 0.1])
    k = np.argmax(x) + np.argmin(x)
    return np.sum(a) * np.sum(b * x) + np.sum(c * x) + x[k] + np.cumsum(x)[1] * np.sum(np.diff(x))


def picked(x, index):
    positive = x > 0.5
    y = x[positive]
    z = x[index] * 2.0
    w = x[:, np.newaxis] * x[None, :]
    total = np.zeros(4)
    np.add.at(total, index, z)
    ends = max(x[0], x[1], x[2]) * min(x[0], 1.0, 3.0)
    return np.sum(y) + np.sum(total**3) + np.sum(w * w) + ends


def replaced(v, order):
    inverse = 1.0 / v
    inverse[order] = 0.5
    logs = np.log(v)
    logs[v > 1.0] = 1.0
    return np.sum(inverse * logs * v)


def stencils(u, v, c):
    u = u.copy()
    for _ in range(3):
        flux = c * u[1:] * u[:-1] / v[1:]
        u[1:-1] = u[1:-1] - (flux[1:] - flux[:-1]) + 0.1 * u[:-2] * u[2:]
        u[:-1] += u[1:] * v[:-1]
        u[1:] -= 0.5 * u[:-1]
        u[0] = math.sin(u[1])
        v = v * u + 1.0
        u[...] = np.sqrt(np.abs(u) + 1.0) - u**2 / 4.0
    return np.sum(u * v) + np.sum(u[1:] * u[:-1])


def planes(u, k):
    u = u.copy()
    row = u[0].copy()
    for _ in range(2):
        u[1:-1, 1:-1] += k * (u[:-2, 1:-1] + u[2:, 1:-1] - u[1:-1, :-2] * u[1:-1, 2:])
        u[:, 0] = u[:, 1] * 0.5
        u[-1, :] = u[0, :] - row
        u[1:, 1:] = u[:-1, :-1] + u[1:, 1:] * row[1:]
        u = u * row + u[:, :1]
    return np.sum(u * u) + np.sum(u[1] * row)


RNG = np.random.default_rng(1)
V = RNG.uniform(0.2, 1.2, size=4)
A = RNG.uniform(0.2, 1.2, size=(4, 3))
CASES = [
    (ufuncs_of_one, (V,), (0,)),
    (ufuncs_of_two, (V, RNG.uniform(size=4)), (0, 1)),
    (reductions, (A, RNG.normal(size=(2, 3, 3))), (0, 1)),
    (products, (A, RNG.normal(size=(3, 4)), RNG.normal(size=3), V), (0, 1, 2, 3)),
    (rows, (RNG.normal(size=(2, 4)), RNG.normal(size=(2, 4)), V), (0, 1, 2)),
    (algebra, (RNG.normal(size=(3, 3)), RNG.normal(size=3)), (0, 1)),
    (created, (V,), (0,)),
    (picked, (V, np.array([3, 0, 3, -2, 1])), (0,)),
    (replaced, (np.array([0.5, 0.7, 2.0]), np.array([1])), (0,)),
    (stencils, (V, RNG.uniform(0.5, 1.0, size=4), 0.3), (0, 1, 2)),
    (planes, (RNG.normal(size=(4, 5)), 0.1), (0, 1)),
]
"""Function, arguments, with respect to what."""

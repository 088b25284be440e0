"""Statements on windows of any kind: ends that are computed, sizes that are compared when it runs,
new and transposed axes, masks of several axes."""

import numpy as np

X = np.linspace(0.3, 1.7, 9)
M = np.linspace(-1.0, 1.0, 30).reshape(5, 6)
T = np.linspace(-1.0, 1.0, 60).reshape(3, 4, 5)


def computed_ends(m, a, b):
    u = m[a : b + 2, 1:b] * m[a - 1 : b + 1, :2]
    v = u - m[a : b + 2, 0:1]
    v[1:] += u[:-1] * v[1:]
    return np.sum(v * v)


def one_or_many(x, m, k):
    return np.sum(x[:k] * m[:, :6] + m[:k] * x[3:9])


def steps(x, k):
    y = x[::2] * x[::-2] + x[k::2][:5] if k == 0 else x[::-2] * 2.0
    z = np.zeros(9)
    z[k::2] += y[k:] * x[8 - k :: -2] if k == 0 else x[k::2]
    return np.sum(z * x)


def empty_windows(x, n):
    y = x[:n]
    z = y[1:-1] * y[1:-1]
    w = np.sum(z * 2.0)
    z2 = y[1:-1] + z
    return w + np.sum(z2) + np.sum(x)


def turned(m):
    d = m[:, 0:1].T - m[:, 1:2]
    e = d.T * d[::-1]
    return np.sum(e * e) + np.sum(m.T * m.T[:, ::-1])


def new_axes(t, i):
    u = t[:, i : i + 2, :, None] * t[None, 0, i : i + 2, None, :2]
    s = np.sum(u, axis=(1, 2)) + np.max(t, axis=(1, 2), keepdims=True)[:, :, 0]
    return np.sum(s * np.mean(t, axis=0, keepdims=True)[0, 0, 0])


def outers(x):
    return np.sum(np.minimum(np.add.outer(x[:4], x[2:]), np.subtract.outer(x[5:], x[2:]) + 1.0))


def masks(m, c):
    a = m.copy()
    a[a > c] *= 3.0
    b = a[a > 0.0]
    a[a < -c] = b[: np.sum(a < -c)] * 2.0
    a[a[:, 0] < 0.0] = m[0] * m[1]
    a[m[:, 1] > 0.5] += a[m[:, 1] > 0.5] * m[1]
    return np.sum(a * a) + np.sum(b**3)


def choices(m):
    u = np.where(m > 0.0, 0, np.where(m < -0.5, m * m, 1.0 / (m + 2.0)))
    v = (m > 0.2) & ~(m > 0.6) | (u == 0)
    return np.sum(u * v) + np.sum(np.where(m, m * 2, np.nan_to_num(m) + 1.0))


def made_alike(x, m):
    a = np.empty(m.shape, dtype=x.dtype)
    a[:] = np.full(6, 2, dtype=float) * m
    b = np.zeros([np.shape(m)[0], np.size(m, 1)], x.dtype)
    b += np.ones_like(m, dtype=m.dtype) * np.full_like(m, 0.5)
    e = np.eye(6, dtype=m.dtype) + np.triu(m.T @ m, k=1) + np.tril(m.T @ m, -1)
    return np.sum(a * b) + np.sum(e * e) * np.size(x) + np.sum(np.transpose(m) @ m)


def spread(m):
    return np.sum(np.std(m, axis=0) * np.var(m, axis=0)) + np.sum(np.std(m, axis=1, keepdims=True))


def short_numbers(x, a, k):
    total = 0.0
    for i in range(len(a)):
        n = a[i] + k
        total += x[n % 3] * (n & 7) * (a[i] - 3)
        if n > 100 or a[i] * a[i] == 4:
            total *= x[a[i] % 9]
    return total


def in_a_helper(x, y, a):
    def added(x, y, a):
        x += y @ a

    x = x.copy()
    added(x, y, a)
    return np.sum(x)


def complex_products(z, w):
    a = z @ w.T + np.conj(z) @ w.T
    a[0] += np.sum(z, axis=1) * 1j
    b = a @ w[:, 0][: a.shape[1]]
    return np.sum(np.abs(a)) + np.sum((b * np.conj(b)).real)


Z = M + 1j * M[::-1]
CASES = [
    (computed_ends, (M, 1, 3), 0),
    (computed_ends, (M, 1, 2), 0),
    (one_or_many, (X, M, 1), (0, 1)),
    (steps, (X, 0), 0),
    (steps, (X, 1), 0),
    *[(empty_windows, (X, n), 0) for n in (0, 1, 2, 5)],
    (turned, (M,), 0),
    (new_axes, (T, 1), 0),
    (outers, (X,), 0),
    (masks, (M, 0.4), 0),
    (choices, (M,), 0),
    (made_alike, (X, M), (0, 1)),
    (spread, (M,), 0),
    (short_numbers, (X, np.array([3, 120, 2, 7], np.int8), 5), 0),
    (short_numbers, (X, np.array([3, 120, 2, 7], np.int32), 5), 0),
    (short_numbers, (X, np.array([3, 120, 250, 7], np.uint8), 5), 0),
    (in_a_helper, (M[:, 0].copy(), X[:6].copy(), M.T.copy()), (0, 1, 2)),
    (complex_products, (Z, Z * 0.5 - 1j), (0, 1)),
]

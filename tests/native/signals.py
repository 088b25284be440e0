"""Programs that interpolate, convolve, roll and factorize."""

import numpy as np


def interpolated(x, xp, fp):
    total = np.sum(np.interp(x, xp, fp) ** 2)
    for i in range(len(x)):
        total += np.interp(x[i] * x[i], xp, fp) * x[i]
    return total


def convolved(x, w):
    y = np.convolve(x, w)
    return np.sum(y * y * np.arange(len(y)))


def crossed(x, y):
    c = np.cross(np.array([x, y, x * y]), np.array([1.0, y, x]))
    return np.sum(c * c)


def periodic(u, k):
    for _ in range(2):
        across = np.roll(u, 1, axis=0) + np.roll(u, -1, axis=0)
        along = np.roll(u, 1, axis=1) * np.roll(u, -1, axis=-1)
        u = u + k * (across + along - 4.0 * u)
    return np.sum(u * u) + np.sum(np.roll(u[0], 2) * u[1])


def sought(x, edges):
    k = np.searchsorted(edges, x, side="right")
    total = x[x.argmin()] * x[np.argmax(x)] + np.sum(x * edges[k - 1])
    total += edges[np.searchsorted(edges, x[0])] * x[0]
    return total + np.sum(np.asarray(x) * (3.0 * x).astype(int)) + np.sum(k.astype(float) * x)


def views_added(x):
    """`broadcast_to` of memory that changes later, added at once."""
    y = x[::-1].copy()
    z = x[-2:0:-2] * y[1:3]
    y[::-2] *= x[::2]
    y[4:1:-1] += x[1:4]
    return np.sum(y * y) + np.sum(z)


def singular_values(a):
    u, s, vh = np.linalg.svd(a)
    return np.sum(s**3)


def low_rank(a):
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    best = s[0] * np.outer(u[:, 0], vh[0]) + s[1] * np.outer(u[:, 1], vh[1])
    return np.sum(best**3) + np.sum(s * s)


def orthogonalized(a):
    q, r = np.linalg.qr(a)
    return np.sum((q * np.sign(np.diag(r))) ** 3) + np.sum(np.abs(r) ** 2 * np.arange(3.0))


RNG = np.random.default_rng(3)
X = np.array([0.25, 1.3, -0.5, 0.8, 2.5])
NODES = np.array([0.0, 0.3, 0.8, 1.7, 2.0])
TALL = RNG.normal(size=(4, 3))
CASES = [
    (interpolated, (X, NODES, RNG.normal(size=5)), (0, 1, 2)),
    (convolved, (X, RNG.normal(size=3)), (0, 1)),
    (convolved, (X[:2], RNG.normal(size=3)), (0, 1)),
    (crossed, (0.4, 0.7), (0, 1)),
    (periodic, (RNG.normal(size=(4, 3)), 0.1), (0, 1)),
    (sought, (np.array([0.25, 1.3, 0.5, 1.9]), NODES), (0, 1)),
    (views_added, (X,), (0,)),
    (singular_values, (TALL,), (0,)),
    (low_rank, (TALL,), (0,)),
    (low_rank, (TALL.T.copy(),), (0,)),
    (orthogonalized, (TALL,), (0,)),
]
"""Function, arguments, with respect to what."""

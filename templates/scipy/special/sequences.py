"""Values and slopes of all orders up to one: an equation tells the slopes of the slopes."""

import numpy as np
from scipy import special

from autodiff.rules import adjoint, d, registry
from autodiff.runtime import conj


@adjoint(special.lmbda)
def lmbda(y, v, x):
    """Gamma(v + 1) (2 / x)^v J_v(x); SciPy has another function below 0 in broken orders."""
    order = v - np.floor(v) + np.arange(len(y[0]))
    safe = 1.0 if x == 0 else x
    bend = -1 / (2 * order + 2) if x == 0 else -(2 * order + 1) / safe * y[1] - y[0]
    known = np.nan if x < 0 and v != np.floor(v) else 1.0
    d[x] = known * (np.sum(d[y][0] * y[1]) + np.sum(d[y][1] * bend))


@adjoint(special.pbdv_seq)
def pbdv_seq(y, v, x):
    """Of orders below 0 SciPy gives others than those asked for."""
    order = (v - np.floor(v) if v >= 0 else np.nan) + np.arange(len(y[0]))
    bend = (x**2 / 4 - order - 0.5) * y[0]
    d[x] = np.sum(d[y][0] * y[1]) + np.sum(d[y][1] * bend)


@adjoint(special.pbvv_seq)
def pbvv_seq(y, v, x):
    order = (v - np.floor(v) if v >= 0 else np.nan) + np.arange(len(y[0]))
    bend = (x**2 / 4 - order - 0.5) * y[0]
    d[x] = np.sum(d[y][0] * y[1]) + np.sum(d[y][1] * bend)


@adjoint(special.pbdn_seq)
def pbdn_seq(y, n, z):
    """SciPy has other functions off the real axis."""
    order = np.arange(len(y[0]))
    bend = (z**2 / 4 - order - 0.5) * y[0]
    g = np.sum(d[y][0] * conj(y[1])) + np.sum(d[y][1] * conj(bend))
    d[z] = np.nan * g if np.iscomplexobj(z) else np.real(g)


@adjoint(special.riccati_jn)
def riccati_jn(y, n, x):
    """x j_n(x); at 0 only that of order 1 bends."""
    order = np.arange(n + 1)
    safe = 1.0 if x == 0 else x
    bend = 2 / 3 * (order == 1) if x == 0 else (order * (order + 1) / safe**2 - 1) * y[0]
    d[x] = np.sum(d[y][0] * y[1]) + np.sum(d[y][1] * bend)


@adjoint(special.riccati_yn)
def riccati_yn(y, n, x):
    order = np.arange(n + 1)
    bend = (order * (order + 1) / x**2 - 1) * y[0]
    d[x] = np.sum(d[y][0] * y[1]) + np.sum(d[y][1] * bend)


@adjoint(special.lqn)
def lqn(y, n, z):
    """Source: DLMF 14.2.1."""
    degree = np.reshape(np.arange(n + 1), (-1,) + (1,) * np.ndim(z))
    bend = (2 * z * y[1] - degree * (degree + 1) * y[0]) / (1 - z**2)
    d[z] = np.sum(d[y][0] * conj(y[1]), axis=0) + np.sum(d[y][1] * conj(bend), axis=0)


@adjoint(special.lqmn)
def lqmn(y, m, n, z):
    """Source: DLMF 14.2.2."""
    inner = (1,) * np.ndim(z)
    order = np.reshape(np.arange(m + 1), (-1, 1, *inner))
    degree = np.reshape(np.arange(n + 1), (1, -1, *inner))
    size = degree * (degree + 1) - order**2 / (1 - z**2)
    bend = (2 * z * y[1] - size * y[0]) / (1 - z**2)
    d[z] = np.sum(d[y][0] * conj(y[1]), axis=(0, 1)) + np.sum(d[y][1] * conj(bend), axis=(0, 1))


# How many orders there are depends on the value of the highest.
registry.add_demanding(
    [special.lmbda, special.pbdv_seq, special.pbvv_seq], (np.ndarray, np.ndarray)
)

"""Kernels as users of Numba write them: `prange`, buffers, tables, grids."""

import math

import numpy as np
import pytest

numba = pytest.importorskip("numba")
prange = numba.prange


def prange_stores(x):
    out = np.zeros(len(x))
    for i in prange(len(x)):
        t = x[i] * x[i]
        if t > 0.8:
            out[i] = math.sin(t)
        else:
            out[i] = t * x[0]
    return np.sum(out * out)


def prange_gather(m):
    out = np.empty_like(m)
    for i in prange(m.shape[0]):
        for j in range(m.shape[1]):
            out[i, j] = m[i, j] * m[(i + 1) % m.shape[0], j - 1]
    s = 0.0
    for i in prange(m.shape[0]):
        s += np.sum(out[i] ** 2)
    return s


def prange_local(m):
    total = 0.0
    for i in prange(m.shape[0]):
        buf = np.zeros(m.shape[1])
        for j in range(1, m.shape[1]):
            buf[j] = buf[j - 1] * m[i, j] + m[i, j - 1]
        total += buf[-1] * buf[2]
    return total


def enum_zip(x, w):
    total = 0.0
    for i, (a, b) in enumerate(zip(x, w)):
        total += i * a * b * b
    return total


def three_dims(t):
    a = np.zeros((t.shape[2], t.shape[0]))
    for i in range(t.shape[0]):
        for k in range(t.shape[2]):
            a[k, i] = np.sum(t[i, :, k] * t[i, 0, k])
    return np.sum(a * a)


def reshape_view(m):
    a = m.copy()
    f = a.ravel()
    f[::3] = f[1] * f[2]
    g = a.reshape(5, 4)
    g[2] += g[0]
    return np.sum(a * m)


def histogram(x):
    h = np.zeros(4)
    for v in x:
        b = int((v - 0.5) * 4)
        h[min(b, 3)] += v * v
    return np.sum(h * h)


def interpolation(x):
    grid = np.linspace(0.0, 1.0, 5)
    vals = grid**2 + x[0]
    total = 0.0
    for v in x:
        t = v * 0.5
        i = int(t * 4)
        if i > 3:
            i = 3
        f = (t - grid[i]) / (grid[i + 1] - grid[i])
        total += (1 - f) * vals[i] + f * vals[i + 1] * v
    return total


def horner(c, x):
    y = 0.0
    for i in range(len(c) - 1, -1, -1):
        y = y * x + c[i]
    return y * y


def strided(x):
    total = 0.0
    for i in range(6, -1, -2):
        total = total * x[i] + x[i // 2]
    return total


def zero_trip(x, n):
    y = x[0]
    for i in range(3, n):
        y = y * x[i]
    return y + x[1] ** 2


def triangular(m):
    total = 0.0
    for i in range(m.shape[0]):
        prev = 1.0
        for j in range(i, m.shape[1]):
            prev = prev * m[i, j] + total
        total += math.log(prev + 1)
    return total


def aliased_arg(x):
    y = x
    y[0] = y[1] * y[2]
    return np.sum(x * y)


def bool_state(x):
    done = False
    s = x[0]
    for i in range(len(x)):
        if not done:
            s = s * x[i]
            done = s > 1.0
        else:
            s = s - x[i] * 0.5
    return s * s


def chained_cmp(x):
    s = 0.0
    for v in x:
        if 0.7 < v < 1.2 and not v == 1.0 or v > 1.4:
            s += v**3
    return s


def adaptive(x, tol):
    t, h, y = 0.0, 0.3, x[0]
    while t < 1.0:
        if t + h > 1.0:
            h = 1.0 - t
        e = y + h * (-y * x[1])
        g = y + h / 2 * (-y * x[1])
        g = g + h / 2 * (-g * x[1])
        err = abs(g - e)
        if err < tol:
            t += h
            y = 2.0 * g - e
            h = h * 1.5
        else:
            h = h / 2
    return y * t


def monte(x, n):
    state = 12345
    s = 0.0
    for _ in range(n):
        state = (state * 1103515245 + 12345) % 2147483648
        u = state / 2147483648.0
        s += math.exp(-x[0] * u) * x[1]
    return s / n


def cplx(x, y):
    z = complex(x, y)
    c = 0j
    for _ in range(4):
        c = c * c + z
    return abs(c) + c.real * c.imag


def wave2d(m, n):
    u = m.copy()
    v = np.zeros_like(m)
    new = np.zeros_like(m)
    for _ in range(n):
        for i in range(1, m.shape[0] - 1):
            for j in range(1, m.shape[1] - 1):
                lap = u[i + 1, j] + u[i - 1, j] + u[i, j + 1] + u[i, j - 1] - 4 * u[i, j]
                new[i, j] = 2 * u[i, j] - v[i, j] + 0.1 * lap * u[i, j]
        v[:] = u
        u[:] = new
    return np.sum(u * v)


def gs_inplace(m, n):
    u = m.copy()
    for _ in range(n):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                u[i, j] = 0.25 * (u[i + 1, j] + u[i - 1, j] + u[i, j + 1] + u[i, j - 1]) * u[i, j]
    return np.sum(u**2)


def list_to_array(x):
    out = [0.0]
    for v in x:
        out.append(out[-1] * 0.5 + v)
    a = np.array(out)
    return np.sum(a * a)


def in_out(x, out):
    for i in range(len(x)):
        out[i] += x[i] * out[i - 1]
    return np.sum(out * x)


def viterbi(m):
    d = m[0].copy()
    for t in range(1, m.shape[0]):
        new = np.zeros(m.shape[1])
        for j in range(m.shape[1]):
            best = -1e9
            for i in range(m.shape[1]):
                s = d[i] * m[t, j] - 0.1 * abs(i - j)
                if s > best:
                    best = s
            new[j] = best
        d = new
    return np.max(d)


def bias_in_place(m, w):
    """A row is added to all of a matrix that elements were added to before."""
    c = np.zeros((4, 5))
    for i in range(4):
        for j in range(5):
            c[i, j] += m[i, j] * m[j % 3, i]
    c += w[:5]
    total = 0.0
    for i in range(4):
        total += np.sum(c[i] * c[i])
    return total


def softmax_rows(m):
    out = np.empty_like(m)
    for i in range(m.shape[0]):
        e = np.exp(m[i] - np.max(m[i]))
        out[i] = e / np.sum(e)
    return np.sum(out * m)


RNG = np.random.default_rng(1)
V = RNG.uniform(0.5, 1.5, 7)
W = RNG.uniform(0.5, 1.5, 7)
M = RNG.uniform(0.5, 1.5, (4, 5))
S = RNG.uniform(0.5, 1.5, (4, 4)) + 4 * np.eye(4)
T = RNG.uniform(0.5, 1.5, (2, 3, 4))
CASES = [
    (prange_stores, (V,), (0,)),
    (prange_gather, (M,), (0,)),
    (prange_local, (M,), (0,)),
    (
        enum_zip,
        (
            V,
            W,
        ),
        (0, 1),
    ),
    (three_dims, (T,), (0,)),
    (reshape_view, (M,), (0,)),
    (histogram, (V,), (0,)),
    (interpolation, (V,), (0,)),
    (
        horner,
        (
            V,
            0.8,
        ),
        (0, 1),
    ),
    (strided, (V,), (0,)),
    (
        zero_trip,
        (
            V,
            2,
        ),
        (0,),
    ),
    (triangular, (M,), (0,)),
    (aliased_arg, (V,), (0,)),
    (bool_state, (V,), (0,)),
    (chained_cmp, (V,), (0,)),
    (
        adaptive,
        (
            V,
            0.001,
        ),
        (0,),
    ),
    (
        monte,
        (
            V,
            20,
        ),
        (0,),
    ),
    (
        cplx,
        (
            0.3,
            0.4,
        ),
        (0, 1),
    ),
    (
        wave2d,
        (
            M,
            3,
        ),
        (0,),
    ),
    (
        gs_inplace,
        (
            M,
            2,
        ),
        (0,),
    ),
    (list_to_array, (V,), (0,)),
    (
        in_out,
        (
            V,
            W,
        ),
        (0, 1),
    ),
    (viterbi, (M,), (0,)),
    (softmax_rows, (M,), (0,)),
    (bias_in_place, (M, W), (0, 1)),
]
"""Function, arguments, with respect to what."""

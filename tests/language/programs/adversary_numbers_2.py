"""Flags in memory, numbers that are arrays of no dimension, dtypes of what is stored."""

import numpy as np

from tests.language.corpus import program

V3 = np.array([0.7, -1.3, 0.4])
V4 = np.array([0.7, -1.3, 0.4, 1.1])
M = np.array([[0.3, 1.2], [-0.7, 0.9]])


X32 = V4.astype(np.float32)
XC = V4 + 1j * V4[::-1]


@program([(V4,)])
def where_inactive_aug(x):
    y = np.where(True, 2.0, 3.0)
    z = y
    s = np.sum(x * y)
    y += 1
    return s * z * np.sum(x * y)


@program([(V4,)], refusable=True)
def asarray_scalar_aug(x):
    y = np.asarray(x[0])
    z = y
    y += 1
    s = np.squeeze(x[:1])
    t = s
    s *= 3
    return y * z * s * t


@program([(V4,)])
def einsum_scalar_aug(x):
    y = np.einsum("i,i", x, x)
    z = y
    y += 1
    w = np.dot(x, x)
    v = w
    w += 1
    u = x @ x
    q = u
    u *= 2
    return y * z * w * v * u * q


@program([(V4,)])
def mean_keepdims(x):
    y = np.mean(x, keepdims=True)
    z = y
    y += x[0]
    w = np.cumsum(x)[-1:]
    v = w
    v *= 2
    return np.sum(y * z * w)


@program([(V4, XC)])
def complex_mix(x, z):
    a = np.zeros(4, complex)
    a[:] = x
    a[1] = x[0] * z[1]
    a[2:] += x[2:]
    a *= z
    a[0] = x[3]
    return np.sum(np.abs(a) ** 2) + np.sum(a.real * x) + np.sum(a.imag)


@program([(V4, XC)])
def complex_into_real(x, z):
    a = np.zeros(4)
    a[:] = z.real
    a[1] = np.abs(z[0])
    a[2:] += (x * z)[2:].real
    return np.sum(a * a * x)


@program([(XC,)])
def complex_arg(z):
    z[0] = z[1] * z[2]
    z[1:] *= z[:-1]
    z += z.conj()[::-1]
    z[z.real > 0] = 1j * z[0]
    return np.sum(np.abs(z) ** 2)


@program([(V4,)])
def add_at_shapes(x):
    m = np.zeros((4, 4))
    k = np.array([0, 1, 1, 3])
    np.add.at(m, (slice(None), [0, 0]), x[:2])
    np.add.at(m, k, x * x)
    np.add.at(m, (k, k), x)
    np.add.at(m, ([0, 0, 0], 1), x[0])
    np.add.at(m, 2, x)
    np.add.at(m, np.s_[1:, 0], x[1:])
    np.add.at(m, x > 0, 1.0 * x[0])
    np.add.at(m[:, 1], [0, 0], x[2] * x[3])
    np.add.at(m, (0, 0), m[0, 0] * m[1, 1])
    k[0] = 2
    np.add.at(m, [[0, 1], [1, 1]], m[k[0]])
    return np.sum(m * m)


@program([(V4,)])
def add_at_self(x):
    m = x.copy()
    np.add.at(m, [0, 0, 1, 2], m)
    np.add.at(m, [3, 3], m[:2])
    np.add.at(m[::-1], [0, 1, 1], m[1:])
    return np.sum(m * m)


@program([(V4,)])
def store_value_shape(x):
    m = np.zeros((2, 4))
    m[0] = x[None]
    m[1:2] = x
    m[:, 0] = x[0]
    m[:, 1:2] = x[:2, None]
    m[..., 2] = x[[1, 2]]
    m[1, 2:] = x[None, None, 1:3]
    m[[0]] = x
    m[[1], :] += x[None]
    m[0:1] -= x[None] * 2
    m[:] = m * x
    return np.sum(m * m)


@program([(np.array([[0.5]]), V4)])
def one_by_one(a, x):
    x[0] = a[0, 0]
    x[1:2] = a[0]
    m = np.outer(x, x)
    m[0] = a
    m[1, :2] = a[0]
    m[2:, 1] += a[:, 0]
    return np.sum(m * m)

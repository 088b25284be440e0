"""Views of every sort, written to while the array is in use."""

import numpy as np

from tests.language.corpus import program

V3 = np.array([0.7, -1.3, 0.4])
V4 = np.array([0.7, -1.3, 0.4, 1.1])
M = np.array([[0.3, 1.2], [-0.7, 0.9]])


V3 = np.array([0.7, -1.3, 0.4])
V4 = np.array([0.7, -1.3, 0.4, 1.1])
M = np.array([[0.3, 1.2], [-0.7, 0.9]])


M34 = np.arange(12.0).reshape(3, 4) / 7 - 0.5


F34 = np.asfortranarray(M34)


@program([(F34,), (M34[:, ::2],), (M34[::-1],), (M34.T,)])
def reshape_noncontig(x):
    y = x.reshape(-1)
    y[0] = y[1] * y[2]
    return np.sum(x * x) + np.sum(y**3)


@program([(F34,), (M34[:, ::2],), (M34[::-1],)])
def ravel_noncontig(x):
    y = np.ravel(x)
    y[1:] *= y[:-1].copy()
    return np.sum(x * x) + np.sum(y**3)


@program([(M34,)])
def reshape_of_T(x):
    z = x.copy()
    y = z.T.reshape(-1)
    y[0] = 3 * y[1]
    return np.sum(z * z) + np.sum(y * y)


@program([(M34,)])
def reshape_of_copy_of_T(x):
    z = x.T.copy()
    y = z.reshape(-1)
    y[0] = 3 * y[1] * y[2]
    return np.sum(z * z) + np.sum(y * y)


@program([(M34,), (F34,)])
def zeros_like_reshape(x):
    z = np.zeros_like(x)
    y = z.reshape(-1)
    y[:] = x.reshape(-1) ** 2
    y[0] = 3 * y[1] * y[2]
    return np.sum(z * z * z) + np.sum(y * y)


@program([(M34,), (F34,)])
def product_reshape(x):
    z = x * x
    y = z.reshape(-1)
    y[0] = 3 * y[1] * y[2]
    return np.sum(z * z * z) + np.sum(y * y)


@program([(M34,), (F34,)], refusable=True)
def copy_order_reshape(x):
    z = x.copy()
    w = z.reshape(-1)
    w[0] = 2 * w[1]
    q = x.copy(order="K")
    r = q.reshape(-1)
    r[0] = 5 * r[2] * r[1]
    return np.sum(z * z) + np.sum(q**3) + np.sum(r * r)


@program([(M34,), (F34,)])
def ascontig(x):
    z = np.ascontiguousarray(x)
    z[0, 0] = z[1, 1] ** 2
    return np.sum(z * z) + np.sum(x**3)


@program([(M34,), (F34,)], refusable=True)
def asfortran(x):
    x = x * 1.0
    z = np.asfortranarray(x)
    z[0, 0] = z[1, 1] ** 2
    return np.sum(z * z) + np.sum(x**3)


@program([(M34,), (F34,)])
def asarray_alias(x):
    x = x * 1.0
    z = np.asarray(x)
    z[0, 0] = z[1, 1] ** 2
    return np.sum(z * z) + np.sum(x**3)


@program([(M34,)], refusable=True)
def array_copy_false(x):
    x = x * 1.0
    z = np.array(x, copy=False)
    z[0, 0] = z[1, 1] ** 2
    return np.sum(z * z) + np.sum(x**3)


@program([(V3,)], refusable=True)
def astype_copy_false(x):
    x = x * 1.0
    z = x.astype(float, copy=False)
    z[0] = z[1] ** 2
    return np.sum(z * z) + np.sum(x**3)


@program([(V3 + 1j * V3[::-1],)], refusable=True)
def real_view(x):
    y = x * 1.0
    r = y.real
    r[0] = r[1] * r[2]
    return np.sum(np.abs(y) ** 2) + np.sum(r**3)


@program([(V3 + 1j * V3[::-1],)], refusable=True)
def imag_store(x):
    y = x * 1.0
    y.imag[1:] = y.real[:-1] ** 2
    y.imag *= 3
    return np.sum(np.abs(y) ** 2)


@program([(V3,)], refusable=True)
def np_real_alias(x):
    y = x * 1.0
    r = np.real(y)
    r[0] = r[1] * r[2]
    return np.sum(y**2) + np.sum(r**3)


@program([(M34,)], refusable=True)
def flat_store(x):
    y = x * 1.0
    y.flat[3] = y[0, 0] ** 2
    y.flat[5:7] = y.flat[0:2]
    return np.sum(y**3)


@program([(M34,)], refusable=True)
def diag_view(x):
    y = x * 1.0
    d = np.einsum("ii->i", y[:3, :3])
    d[:] = d * d
    return np.sum(y**3) + np.sum(d)


@program([(M34,)], refusable=True)
def diag_writeable(x):
    y = x * 1.0
    d = np.diagonal(y)
    y[0, 0] = 4 * y[1, 1]
    return np.sum(y**3) + np.sum(d * d)


@program([(V3,)], refusable=True)
def broadcast_view(x):
    y = x * 1.0
    d = np.broadcast_to(y, (2, 3))
    y[0] = 4 * y[1]
    return np.sum(y**3) + np.sum(d * d)


@program([(V3,)])
def atleast(x):
    y = x * 1.0
    d = np.atleast_2d(y)
    d[0, 1] = y[0] * y[2]
    return np.sum(y**3) + np.sum(d * d)


@program([(V3,)])
def expand(x):
    y = x * 1.0
    d = y[:, None]
    e = np.expand_dims(y, 0)
    d[1, 0] = y[0] * y[2]
    e[0, 0] = 5 * y[1]
    return np.sum(y**3) + np.sum(d * e)


@program([(V4,)], refusable=True)
def split_views(x):
    y = x * 1.0
    a, b = np.split(y, 2)
    a[0] = b[1] * b[0]
    b += a
    return np.sum(y**3) + np.sum(a * b)


@program([(M34,)])
def rows_unpack(x):
    y = x * 1.0
    a, b, c = y
    a[0] = b[1] * b[0]
    b += a * c
    return np.sum(y**3) + np.sum(a * b)

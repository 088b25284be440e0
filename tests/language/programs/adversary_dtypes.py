"""Layouts, dtypes, `out=` and methods that work in place."""

import numpy as np

from tests.language.corpus import program

V3 = np.array([0.7, -1.3, 0.4])
V4 = np.array([0.7, -1.3, 0.4, 1.1])
M = np.array([[0.3, 1.2], [-0.7, 0.9]])


V3 = np.array([0.7, -1.3, 0.4])
V4 = np.array([0.7, -1.3, 0.4, 1.1])
M = np.array([[0.3, 1.2], [-0.7, 0.9]])


M34 = np.arange(12.0).reshape(3, 4) / 7 - 0.5


X32 = V4.astype(np.float32)


@program([(X32, V4)], tolerance=1e-4)
def f32_iadd_f64(x, y):
    a = x.copy()
    a += y * y
    a *= y
    a[1:] -= y[1:] ** 2
    a[0] = y[0] * 1.1
    return a * a


@program([(X32, V4)], tolerance=1e-4)
def f32_rebind(x, y):
    a = x * x
    a += y
    return a * y


@program([(X32,)], tolerance=1e-4)
def f32_arg(x):
    x += 0.1
    x *= np.float64(1.3)
    x /= 3
    x **= 2
    return x * x


@program([(np.array(0.7),)], refusable=True)
def zerod(x):
    x += 1.0
    y = x
    x *= y
    return x * y


@program([(np.array(0.7),)])
def zerod_ellipsis(x):
    y = x * 1.0
    z = np.array(x)
    z[...] = z * z
    z[()] *= 3
    w = z
    w += 1
    return y * z


@program([(np.zeros(0), V3)])
def empty_arg(e, x):
    e += 1
    e[:] = 3
    x[:0] = e
    x[1:] *= x[:-1]
    return np.sum(e) + np.sum(x**2)


@program([(V4,)])
def negative_stride(x):
    y = x[::-1]
    y[0] = y[1] * y[2]
    y[1:3] += x[0]
    z = y[::2]
    z *= z
    return np.sum(x**3)


@program([(M34[:, ::2],), (M34[::-1],), (M34.T,)])
def strided_arg_unmut(x):
    y = x.reshape(-1)
    z = x * x
    w = z.reshape(-1)
    w[0] = w[1] * w[2]
    q = z.T.ravel()
    q[:] = q * q
    return np.sum(z**2) + np.sum(y * w) + np.sum(q)


@program([(V4,)])
def empty_(x):
    b = np.empty(4)
    b[0] = x[0]
    for i in range(1, 4):
        b[i] = b[i - 1] * x[i]
    c = np.empty((2, 4))
    c[0] = b
    c[1] = b * b
    return np.sum(c[0] * c[1] * b)


@program([(V4,)])
def scalars_before_store(x):
    b = x.copy()
    s = 1.0
    for i in range(3):
        p = b[i]
        q = b[i + 1]
        r = p * q
        b[i] = q * r
        b[i + 1] = p
        s = s + r * r * p / q
        t = p + q
        b[i] += t * t
    return s + np.sum(b * b)


@program([(V4,)])
def sum_shared_adjoint(x):
    a = x * 2
    b = x * 3
    c = a + b
    a[0] = 1.0
    b[1] = 2 * a[2]
    c[2] = a[3] * b[0]
    d = c - a
    a += d
    d[0] = 5.0
    c[:] = c + d
    return np.sum(c * d) + np.sum(a * b)


@program([(M34,)])
def transposed_shared(x):
    a = x * 2
    b = a.T + x.T
    a[0] = 1.0
    c = b + a.T
    b[1] *= 2
    d = c.reshape(-1) + b.ravel()
    c[0, 0] = 7.0
    b[0] = d[:3]
    return np.sum(c * b * a.T) + np.sum(d * d)


@program([(V4,)])
def broadcast_up(x):
    a = np.zeros((3, 4))
    a[:] = x
    a[1] = x[0] * x
    a[:, 1:3] = x[2]
    a[2:] = a[:1]
    a[0, :] += a[1] * a[2]
    a += x
    a[:, 0] *= x[:3]
    return np.sum(a**2 * x)


@program([(V4,), (-V4,)])
def assigned_in_branch(x):
    if x[0] > 0:
        b = x * x
        b[0] = b[1]
    else:
        b = np.zeros(4)
    b[1] = x[2] * x[3]
    if x[1] > 0:
        c = b
    else:
        c = b[::-1]
    c[2] = b[3] * b[0]
    b[0] = c[0] * c[1]
    return np.sum(c**2) + np.sum(b * x)


@program([(V4,)])
def rotating(x):
    u = x.copy()
    v = x * 2
    w = np.zeros(4)
    for i in range(5):
        w[1:-1] = u[1:-1] * v[:-2] + v[2:]
        w[0] = u[0]
        w[-1] = 0.5
        u, v, w = v, w, u
    return np.sum(u * v) + np.sum(w)


@program([(V4,)])
def prev_view(x):
    u = np.zeros((5, 4))
    u[0] = x
    prev = u[0]
    for i in range(1, 5):
        cur = u[i]
        cur[:] = prev * x
        cur[0] += prev[1] ** 2
        prev = cur
        if i == 3:
            prev = u[1]
    prev[0] = 2 * u[4, 0]
    return np.sum(prev * u[2]) + np.sum(u**2)

"""Memory held by containers, objects and views nobody knows."""

import numpy as np

from autodiff import adjoint, d, stop_gradient
from tests.language.corpus import program

V3 = np.array([0.7, -1.3, 0.4])
V4 = np.array([0.7, -1.3, 0.4, 1.1])
M = np.array([[0.3, 1.2], [-0.7, 0.9]])


X32 = V4.astype(np.float32)


@program([(X32, V4)], tolerance=1e-4)
def f32_np_scalar(x, y):
    x *= np.sum(y)
    x -= y[0]
    return x * x


@program([(V4,)])
def int_array_promote(x):
    n = np.arange(4)
    s = np.sum(x * n)
    n += 1
    s *= np.sum(x * n)
    n *= n
    n[n > 4] //= 2
    s *= np.sum(x * n)
    n[1:] <<= 1
    n = n / 2
    n -= 1
    return s * np.sum(x**2 * n)


@program([(V4,)])
def inactive_aug_name_alias(x):
    n = np.arange(4) * 1.0
    m = n
    s = np.sum(x * n)
    n += 1
    s *= np.sum(x * m)
    m *= 3
    t = np.sum(x * n)
    n = n + 1
    n += 1
    return s * np.sum(x * m) * t * np.sum(x * n)


@program([(V4,)])
def int_store_truncates(x):
    n = np.arange(4)
    n[0] = 2.7
    n[1:] = [1.2, 3.9, -1.5]
    return np.sum(x**n)


@program([(V4,)])
def active_into_int(x):
    n = np.arange(4)
    n[0] = x[0] * 3
    return np.sum(x * n)


@program([(V4,)])
def active_into_bool(x):
    n = np.zeros(4, bool)
    n[0] = x[0]
    return np.sum(x * n)


@program([(V4,)])
def float_into_f32(x):
    n = np.zeros(4, np.float32)
    n[:] = 0.5
    n[0] = 0.1
    return np.sum(x * n)


@program([(V4,)], refusable=True)
def stop_(x):
    b = x * x
    c = stop_gradient(b)
    b[0] = 3 * x[1]
    e = stop_gradient(b)
    e[1] = x[0]
    return np.sum(b * c) + np.sum(b * b) * np.sum(e)


def ident(x):
    return x


@adjoint(ident)
def ident_rule(y, x):
    d[x] = d[y]


@program([(V4,)], refusable=True)
def rule_identity(x):
    b = x * x
    c = ident(b)
    c[0] = 3 * x[1]
    b[1] = c[2] * 2
    return np.sum(b * c)


def first(x):
    return x[:2]


@adjoint(first)
def first_rule(y, x):
    d[x] = np.append(d[y], 0.0 * d[y])


@program([(V4,)], refusable=True)
def rule_view(x):
    b = x * x
    c = first(b)
    c[0] = 3 * x[1]
    b[1] = c[1] * 2
    return np.sum(b) * np.sum(c)


@program([(V4,)], refusable=True)
def rule_identity_inactive(x):
    b = np.ones(4)
    c = ident(b)
    s = np.sum(x * c)
    b[0] = 3
    return s * np.sum(x * c)


@program([(V4,)], refusable=True)
def inactive_views(x):
    b = np.arange(6.0) + 1
    c = b.reshape(2, 3)
    r = c.T[1]
    s = np.sum(x[:2] * r)
    b[1] = 9
    s *= np.sum(x[:2] * r)
    r[:] = 2
    s *= np.sum(x * b[:4])
    t = np.real(b)
    t[0] = -4
    s *= np.sum(x * b[:4])
    dd = np.einsum("ii->i", c[:2, :2])
    dd += 2
    s *= np.sum(x * b[:4])
    q = np.lib.stride_tricks.as_strided(b, (3,), (16,))
    q[1] = 0.5
    s *= np.sum(x * b[:4])
    w = np.frombuffer(b)
    w[3] = 0.1 if w.flags.writeable else 0
    return s * np.sum(x * b[:4])


@program([(V4,)])
def inactive_real_only(x):
    b = np.arange(4.0) + 1
    t = np.real(b)
    s = np.sum(x * b)
    t[0] = -4
    return s * np.sum(x * b)


@program([(V4,)])
def inactive_einsum(x):
    b = np.ones((4, 4))
    t = np.einsum("ii->i", b)
    s = np.sum(b @ x * x)
    t[0] = -4
    return s * np.sum(b @ x)


@program([(V4,)], refusable=True)
def inactive_asstrided(x):
    b = np.ones(4)
    t = np.lib.stride_tricks.as_strided(b, (2,), (16,))
    s = np.sum(b * x)
    t[0] = -4
    return s * np.sum(b * x)


@program([(V4,)])
def inactive_sliding(x):
    b = np.ones(4)
    t = np.lib.stride_tricks.sliding_window_view(b, 2)
    s = np.sum(t @ x[:2])
    b[0] = -4
    return s * np.sum(t @ x[:2])


@program([(V4,)], refusable=True)
def active_sliding(x):
    b = x * x
    t = np.lib.stride_tricks.sliding_window_view(b, 2)
    s = np.sum(t**2)
    b[0] = -4 * x[1]
    return s * np.sum(t**2)


@program([(V4,)])
def inactive_frombuffer(x):
    b = np.ones(4)
    t = np.frombuffer(b.data)
    s = np.sum(t * x)
    b[0] = -4
    return s * np.sum(t * x)


@program([(V4,)], refusable=True)
def inactive_view_dtype(x):
    b = np.ones(4)
    t = b.view(np.int64)
    s = np.sum(b * x)
    t[0] = 4607182418800017408 + 2**52
    return s * np.sum(b * x)

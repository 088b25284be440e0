"""Programs against what is done in place: histories, buffers, swaps, slots, states."""

import numpy as np

from tests.language.corpus import program

V3 = np.array([0.7, -1.3, 0.4])


V4 = np.array([0.7, -1.3, 0.4, 1.1])


V6 = np.array([0.7, -1.3, 0.4, 1.1, 0.2, -0.5])


M3 = np.array([[0.3, 1.2, -0.4], [-0.7, 0.9, 0.5], [0.1, -0.2, 0.8]])


E0 = np.zeros(0)


@program([(V6,), (V3,)])
def history_negative(x):
    h = np.zeros((5, x.size))
    h[-1] = x
    for t in range(-1, -5, -1):
        h[t - 1] = np.sin(h[t]) * x
    return np.sum(h[0] * h[-2])


@program([(V6,)])
def history_step2(x):
    h = np.zeros((7, 6))
    h[0] = x
    for t in range(0, 6, 2):
        h[t + 2] = h[t] * np.cos(h[t])
        h[t + 1] = h[t + 2] * x
    return np.sum(h[1] * h[-1])


@program([(V6 * 0.5,)])
def history_overwrite_same(x):
    h = np.zeros((2, 6))
    h[0] = x
    for t in range(5):
        h[(t + 1) % 2] = np.sin(h[t % 2]) + x * h[(t + 1) % 2]
    return np.sum(h[1] * h[0])


@program([(V6,)])
def history_last_twice(x):
    h = np.zeros((4, 6))
    h[0] = x
    for t in range(3):
        h[t + 1] = h[t] ** 2
        h[t + 1] = h[t + 1] * x + h[t]
    return np.sum(h[-1])


@program([(V6,)])
def history_aug(x):
    h = np.ones((4, 6))
    h[0] *= x
    for t in range(3):
        h[t + 1] += h[t] ** 2
        h[t] *= 2.0
    return np.sum(h[-1] * h[0])


@program([(V6 * 0.5,)], analytic=True)
def burgers(x):
    u = x.copy()
    un = np.zeros_like(u)
    for _ in range(4):
        un[:] = u
        u[1:-1] = un[1:-1] - 0.1 * un[1:-1] * (un[1:-1] - un[:-2])
        u[0] = u[-2]
        u[-1] = u[1]
    return np.sum(u**2)


@program([(V6,)])
def burgers_buffers(x):
    u = x.copy()
    flux = np.empty_like(u)
    slope = np.empty(4)
    for _ in range(3):
        flux[:] = 0.5 * u**2
        slope[:] = flux[2:] - flux[:-2]
        u[1:-1] -= 0.2 * slope
        slope *= 2.0
        u[1:-1] += 0.01 * slope * u[1:-1]
    return np.sum(u * flux) + np.sum(slope)


@program([(V6 * 0.5,)])
def swap_three(x):
    a = x.copy()
    b = np.zeros(6)
    c = np.ones(6)
    for _ in range(5):
        c[:] = a * b + x
        a, b, c = b, c, a
        a[0] += c[1]
        b[-1] = a[0] * 0.5
    return np.sum(a * b) + np.sum(c)


@program([(V6,)])
def swap_conditional(x):
    a = x.copy()
    b = np.zeros(6)
    for i in range(5):
        b[:] = np.sin(a) * x
        b[i] = a[i] ** 2
        if i % 2:
            a, b = b, a
        else:
            a[1:] = b[:-1]
    return np.sum(a * b)


@program([(V6,)])
def shift_in_place(x):
    u = x * 1.0
    for i in range(4):
        u[1:] = u[:-1]
        u[0] = np.sum(u) * 0.3
    return np.sum(u**2)


@program([(V6,)])
def overlapping_add(x):
    u = x * 1.0
    for i in range(3):
        u[1:] += u[:-1] * u[1:]
        u[:-1] -= 0.5 * u[1:]
    return np.sum(u)


@program([(V6,)])
def reversed_view(x):
    u = x * 1.0
    r = u[::-1]
    for i in range(3):
        r[i] = u[i] * r[i + 1]
    return np.sum(u * r)


@program([(V6,)])
def strided_store(x):
    u = x * 1.0
    for i in range(2):
        u[i::2] = u[i::2] * u[::-1][i::2]
        u[::3] += x[:2]
    return np.sum(u**2)


@program([(V6,)], refusable=True)
def loop_never(x):
    u = x * 1.0
    n = 0
    b = np.zeros(6)
    for i in range(n):
        b[:] = u / 0.0
        u[i] = b[i]
        c = 1.0 / n
        u *= c
    return np.sum(u * b) + np.sum(u)


@program([(V6,)])
def hoist_raises(x):
    n = 0
    s = np.sum(x)
    for i in range(n):
        s = s * (1 / n)
    d = 0
    for i in range(3):
        if d:
            s = s + x[0] * (1 / d)
        s = s * x[i]
    return s


@program([(V6,)])
def hoist_out_of_range(x):
    s = 0.0
    k = 17
    for i in range(3):
        if k < len(x):
            s = s + x[k] ** 2 * i
        s = s + x[i]
    return s


@program([(np.array([0.5]),), (V3,)])
def size_one(x):
    u = x * 1.0
    for i in range(2):
        u[:-1] += u[1:] * x[0]
        u[-1] = u[0] * x[-1]
    return np.sum(u)


@program([(E0,), (V3,)])
def empty_ok(x):
    u = x * 2.0
    for i in range(len(x)):
        u[i] *= x[i - 1]
    u[:] = u**2
    return np.sum(u) + 1.0


@program([(np.array(0.5),)])
def zero_d(x):
    u = x * 1.0
    b = np.zeros(())
    b[...] = x
    b[()] = b * b
    b += x
    return u * b * np.sum(b)


@program([(V6.astype(np.float32),)])
def f32_buffers(x):
    u = x.copy()
    un = np.zeros_like(u)
    for _ in range(3):
        un[:] = u
        u[1:-1] = un[1:-1] - np.float32(0.1) * un[1:-1] * (un[1:-1] - un[:-2])
    return np.sum(u**2)


@program([(V6.astype(np.float32),)])
def f32_mixed(x):
    h = np.zeros((3, 6))
    h[0] = x
    for t in range(2):
        h[t + 1] = h[t] * x
    y = x.copy()
    y[:] = h[-1]
    return np.sum(y * y)


@program([(V4 + 1j * V4[::-1],)])
def complex_buffers(z):
    u = z.copy()
    w = np.zeros_like(u)
    for _ in range(3):
        w[:] = u * np.conj(u) + z
        u[1:] = w[:-1] * 0.5j
        u, w = w, u
        w[0] *= u[1]
    return np.sum(np.abs(u) ** 2 + np.real(w) ** 2)


@program([(V4,)], refusable=True)
def complex_from_real(x):
    u = np.zeros(4, dtype=complex)
    u.real = x
    u.imag[:] = x[::-1]
    for i in range(2):
        u[1:] *= u[:-1]
    return np.sum(u.real**2 + u.imag)


def change(a, b):
    a[1:] += b[:-1] * a[:-1]
    b *= 0.5
    return a * b


@program([(V6 * 0.5,)], analytic=True)
def helper_changes(x):
    a = x.copy()
    b = x**2
    s = 0.0
    for i in range(3):
        c = change(a, b)
        s = s + np.sum(c * a)
        change(b, c)
    return s + np.sum(b)


@program([(V6,)])
def helper_views(x):
    a = np.outer(x, x)
    for i in range(2):
        change(a[i], a[i + 2])
        change(a[:, 1], a[:, -1])
    return np.sum(a**2)


@program([(V6, 3), (V6, 0), (V6, -2)])
def range_variable(x, n):
    u = x.copy()
    for i in range(n, -n, -1):
        u[i] = u[i - 1] * x[i] + u[i]
    for i in range(-n, n, 2):
        u[i % 6] += u[-1] ** 2
    return np.sum(u)


@program([(M3,)])
def triangular(a):
    a = a.copy()
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            f = a[i, k] / a[k, k]
            a[i, k] = f
            for j in range(k + 1, n):
                a[i, j] -= f * a[k, j]
    return np.sum(a * a)


@program([(M3,)])
def triangular_rows(a):
    a = a.copy()
    n = a.shape[0]
    for k in range(n - 1, -1, -1):
        a[k, k:] /= a[k, k]
        for i in range(k):
            a[i, k:] -= a[i, k] * a[k, k:]
            a[:, i] *= a[k, k]
    return np.sum(a**2)

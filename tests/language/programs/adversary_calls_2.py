"""Defaults, closures, copies and containers of arrays that change."""

import numpy as np

from tests.language.corpus import program

V3 = np.array([0.7, -1.3, 0.4])
V4 = np.array([0.7, -1.3, 0.4, 1.1])
M = np.array([[0.3, 1.2], [-0.7, 0.9]])


@program([(V4,)])
def while_break_continue(x):
    b = x.copy()
    buf = np.zeros(4)
    i = 0
    s = 1.0
    while True:
        i += 1
        buf[i % 4] = i
        if i == 2:
            b[0] = b[1] * b[2]
            continue
        if i > 6:
            break
        b[i % 4] *= b[(i + 1) % 4] * 0.5 + 1
        buf[0] += 1
        s = s + np.sum(b * buf) * s * 0.1
        if s > 1e5:
            return s * b[0]
    else:
        s = 7.0
    buf[:] = 2
    return s * np.sum(b * buf)


@program([(V4,)])
def for_else_store(x):
    b = x.copy()
    for i in range(4):
        if b[i] > 100:
            break
        b[i] = b[i - 1] + b[i] ** 2
        if i == 1:
            continue
        b[0] *= b[i]
    else:
        b[3] = b[2] * b[1]
    for v in b:
        if v < 0:
            break
        b[0] = b[0] * v
    return np.sum(b * x)


@program([(V4,)])
def nested_inactive_buffers(x):
    t = np.zeros((3, 4))
    s = 0.0
    for i in range(3):
        row = t[i]
        for j in range(4):
            row[j] = i + j
            s = s + np.sin(np.sum(row * x))
            t[:, j] += 1
        t[i - 1] = row[::-1]
        s = s * np.sum(t @ x)
    return s * 0.01


@program([(V4,)], refusable=True)
def buffer_in_tuple_container(x):
    t = np.ones(4)
    s = 1.0
    h = (t, t[1:])
    l = [t]
    dct = {"t": t}
    s = s * np.sum(h[1] * x[1:])
    t[2] = 3
    s = s * np.sum(h[1] * x[1:])
    dct["t"][1] = 2
    s = s * np.sum(l[0] * x)
    return s * np.sum(h[0] * x)


@program([(V4,)])
def buffer_container2(x):
    t = np.ones(4)
    l = [t, t * 2]
    s = np.sum(l[0] * x)
    t[2] = 3
    s = s * np.sum(l[0] * x)
    t += 1
    return s * np.sum(l[0] * x)


@program([(V4,)])
def items_appended_then_changed(x):
    t = np.zeros(4)
    hist = []
    for i in range(3):
        t[i] = i + 1.0
        hist.append(t)
    return np.sum(hist[0] * x) * np.sum(hist[1] * x**2)


@program([(V4,)])
def active_appended_then_changed(x):
    t = x.copy()
    hist = []
    for i in range(3):
        t[i] = t[i + 1] * t[i]
        hist.append(t)
    return np.sum(hist[0] * x) * np.sum(hist[1] * x**2)


@program([(V4,)])
def active_copies_appended(x):
    t = x.copy()
    hist = [t.copy()]
    for i in range(3):
        t[i] = t[i + 1] * t[i]
        hist.append(t.copy())
        t *= hist[-2]
    return np.sum(hist[0] * x) * np.sum(hist[1] * x**2) + np.sum(np.array(hist) ** 2)


@program([(V4,)])
def views_appended(x):
    t = np.zeros((4, 4))
    hist = []
    for i in range(4):
        t[i] = x * (i + 1)
        hist.append(t[i])
        t[i, 0] = x[1] ** 2
    return np.sum(hist[0] * hist[1] * x) + np.sum(t)


@program([(V4,)])
def np_array_of_mutated(x):
    t = x.copy()
    a = np.array([t, t])
    t[0] = 5 * x[1]
    c = np.stack([t, t * 2])
    t[1] = x[0] * x[2]
    e = np.concatenate((t, t))
    t *= x
    return np.sum(a * c) + np.sum(e**2) * np.sum(t)


@program([(V4,)])
def where_select(x):
    t = x.copy()
    y = np.where(t > 0, t, t * 2)
    t[t > 0] = 1.5 * t[t < 0]
    z = np.maximum(t, y)
    t[:] = np.minimum(z, 3 * y)
    return np.sum(t * z * y)


@program([(V4,)])
def adjoint_alias_reuse(x):
    t = x.copy()
    u = t
    v = u * 1.0
    w = v + u
    t = w
    t[0] = 0.0
    u[1] = w[2]
    v[2] += u[3]
    return np.sum(t * u * v * w)


@program([(V4,)])
def accumulate_in_loop(x):
    t = np.zeros(4)
    a = x
    for i in range(3):
        t += a
        a = a * t
        t[i] -= a[i]
        a = t + a
    return np.sum(t * a)


@program([(V4,)])
def arg_same_as_local(x):
    y = x
    x[0] = x[1] * x[2]
    y = y[::-1]
    y[0] *= 2
    x = x * y
    y += x
    return np.sum(x * y)


@program([(V4, V4 * 0.5)])
def two_args(x, y):
    x, y = y, x
    x[0] = y[1] * x[1]
    z = x if x[0] > 0 else y
    z[1] *= y[0]
    y -= z
    return np.sum(x * y * z)

"""Programs against what is done in place: histories, buffers, swaps, slots, states."""

import numpy as np

from tests.language.corpus import program

V6 = np.array([0.7, -1.3, 0.4, 1.1, 0.2, -0.5])


M3 = np.array([[0.3, 1.2, -0.4], [-0.7, 0.9, 0.5], [0.1, -0.2, 0.8]])


@program([(V6,)])
def nested_buffers(x):
    u = x.copy()
    for i in range(2):
        w = u * x
        for j in range(3):
            w[j] = w[j + 1] * u[j]
            u[j + 1] += w[j]
        u[:] = w - u
    return np.sum(u * w)


@program([(V6,)])
def branch_in_loop(x):
    u = x.copy()
    keep = np.zeros(6)
    for i in range(6):
        if u[i] > 0:
            keep[i] = u[i] ** 2
            u[i] = -keep[i]
        elif i > 2:
            u[i - 1] *= u[i]
        else:
            keep[:] = u
    return np.sum(u * keep)


@program([(V6,)])
def while_buffers(x):
    u = x.copy()
    k = 0
    while np.sum(u**2) > 0.01 and k < 5:
        v = u[::2]
        v *= 0.5
        u[1::2] = v * u[1::2]
        k += 1
    return np.sum(u) * k


@program([(V6,)])
def break_buffers(x):
    u = x.copy()
    h = np.zeros((6, 6))
    for t in range(6):
        h[t] = u
        u[:] = np.sin(h[t]) * x
        if np.sum(u) > 0.5:
            break
        u[t] += h[t, -1]
    return np.sum(h * h) + np.sum(u)


@program([(V6,)])
def same_buffer_inputs(x):
    b = np.zeros(6)
    s = 0.0
    for i in range(4):
        b[:] = i
        s = s + np.sum(x * b)
        b[i:] = x[i:] * b[i:]
        s = s * np.sum(b)
    return s


@program([(V6 * 0.5,)], analytic=False)
def where_masks(x):
    u = x.copy()
    for i in range(3):
        m = u > 0
        u[m] = u[m] ** 2 - 0.3
        u[~m] *= -0.5
        u[np.array([0, 2, 2])] += x[i]
    return np.sum(u**3)


@program([(V6,)])
def steady_value(x):
    s = x[0]
    u = x.copy()
    for i in range(3):
        c = x[1] * 2.0
        d = c * c
        w = x * x
        u = u * d + w
        s = s * c + np.sum(u * w)
    return s * d


@program([(V6,)])
def steady_not(x):
    s = x[0]
    w = x.copy()
    for i in range(3):
        c = w[1] * 2.0
        s = s * c
        w[1] = s
    return s * c


@program([(V6,)])
def steady_conditional(x):
    s = 1.0
    c = 0.0
    for i in range(4):
        if i == 2:
            d = x[1] * x[2]
            s = s * d * x[i]
        s = s * x[i]
    return s * d


@program([(V6 * 0.5,)], analytic=True)
def coalesce1(x):
    u = x * 1.0
    for i in range(3):
        un = u.copy()
        u[1:-1] = un[:-2] * x[1:-1] + un[2:] - un[1:-1] ** 2
        u[0] = un[-1] * u[1]
        u[-1] = un[0]
    return np.sum(u**2)


@program([(V6,)])
def coalesce2(x):
    u = x * 1.0
    v = x**2
    for i in range(3):
        un = u.copy()
        vn = v.copy()
        u[1:] = un[:-1] * vn[1:]
        v[:-1] = vn[1:] - un[1:] * un[:-1]
        u[2] = v[2]
        v[0], u[0] = u[0], v[0]
    return np.sum(u * v)


@program([(V6,)])
def coalesce3(x):
    u = x * 1.0
    for i in range(2):
        un = u.copy()
        t = un[1] * x
        u[:] = t
        u += un
        un[0] = u[1]
        u[3] = un[0] * un[1]
    return np.sum(u**2)


@program([(V6,)])
def slots1(x):
    p = x * 1.0
    for i in range(3):
        p[0] = p[1]
        p[1] = p[0] + p[2]
        p[2] = p[2] * p[1]
        p[-1] = p[-1]
        p[3] = p[3] + p[0]
    return np.sum(p**2)


@program([(M3,)])
def slots2(p):
    p = p * 1.0
    for i in range(3):
        p[0, :] = p[1, :]
        p[-1, :] = p[-2, :]
        p[:, 0] = p[:, 1]
        p[:, -1] = 2.0 * p[:, -1] - p[:, 0]
        p[1:-1, 1:-1] = 0.25 * (p[:-2, 1:-1] + p[2:, 1:-1]) * p[1:-1, 2:]
    return np.sum(p**2)


@program([(V6, 2), (V6, 0), (V6, -1)])
def slots_index(x, k):
    p = x * 1.0
    for i in range(3):
        p[k] = p[k - 1] * p[k]
        k = k + 1
        p[k] = p[k] + 1.0
        p[k - 1] = p[k] - p[k - 1]
    return np.sum(p**2)


@program([(V6,)])
def states1(x):
    u = x * 1.0
    for _ in range(3):
        un = u.copy()
        flux = 0.3 * un[1:-1]
        slope = un[1:-1] - un[:-2]
        un[2] = 5.0 * un[1]
        u[1:-1] = un[1:-1] - flux * slope
    return np.sum(u**2)


@program([(V6 * 0.5,)], analytic=True)
def states2(x):
    u = x * 1.0
    for _ in range(3):
        a = u * x
        b = a + u
        u = u * 1.0
        c = a * b
        u[1:] = c[:-1] * a[1:]
        u[0] = b[0] * c[1]
    return np.sum(u * a * b * c)


@program([(V6,)])
def states3(x):
    u = x * 1.0
    for i in range(3):
        a = u[1:] * u[:-1]
        b = a - u[1:]
        if i % 2:
            u[1:] = a * b
        else:
            u[:-1] = b * b
        u *= x
    return np.sum(u)


@program([(V6 * 0.5,)], analytic=True)
def states_inner(x):
    u = x * 1.0
    for i in range(2):
        a = u * x
        b = a * a
        for j in range(2):
            c = b * u
            u[j:] = c[j:] * a[j:]
        u[0] = np.sum(b * c)
    return np.sum(u)

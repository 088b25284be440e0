"""Views whose index or array changes later; results that are views."""

import numpy as np

from tests.language.corpus import program

V3 = np.array([0.7, -1.3, 0.4])
V4 = np.array([0.7, -1.3, 0.4, 1.1])
M = np.array([[0.3, 1.2], [-0.7, 0.9]])


@program([(V4,)])
def window_index_rebound(x):
    m = np.outer(x, x)
    s = 0.0
    i = 0
    r = m[i]
    i = 1
    r[0] = x[1] ** 2
    s = s + np.sum(r * m[i])
    i = 2
    r = m[i]
    q = r[1:]
    i = 3
    q[0] = m[i, 0] * r[0]
    return s * np.sum(m * m)


@program([(V4,)])
def window_array_rebound(x):
    m = np.outer(x, x)
    r = m[0]
    m = m * 2
    r[0] = x[1] ** 2
    m[0] = r * r
    p = m.T
    m = p
    p[1] = 3 * x
    m[0, 0] *= p[1, 0]
    return np.sum(m * r)


@program([(V4,)])
def window_index_memory(x):
    m = np.outer(x, x)
    k = np.array([0, 1])
    r = m[k[0]]
    k[0] = 2
    r[0] = x[1] ** 2
    q = m[k[0], k[1] :]
    k[1] = 0
    q[1] = r[0] * q[0]
    return np.sum(m * m) * np.sum(q)


@program([(V4,)])
def window_slice_memory(x):
    m = np.outer(x, x)
    k = np.array([0, 3])
    r = m[k[0] : k[1], 1]
    k[:] = [1, 2]
    r[2] = x[1] ** 2
    r *= r[::-1]
    m[k[0] : k[1], k[0] : k[1]] = 5 * m[0, 0]
    return np.sum(m * m) * np.sum(r)


@program([(V4,)])
def window_loop(x):
    m = np.outer(x, x)
    s = 0.0
    for i in range(3):
        a = m[i]
        b = m[i + 1]
        c = a[1:]
        d = b[:-1]
        c[:] = d * c
        e = c[::2]
        e += a[0]
        m[i, 0] = np.sum(e)
        d[0] = c[-1]
        s = s + np.sum(a * b) * c[0]
    return s


@program([(V4,)])
def window_while_shrinking(x):
    m = x.copy()
    s = 0.0
    v = m
    while len(v) > 1:
        v[0] = v[1] * v[-1]
        v = v[1:]
        v += 0.5 * v[0]
        s = s * v[0] + np.sum(v)
    return s * np.sum(m)


@program([(V4,)])
def window_recursive_halves(x):
    m = np.concatenate([x, x * 2])
    n = 8
    while n > 1:
        h = n // 2
        lo, hi = m[:h], m[h:n]
        lo += hi * lo
        hi[:] = lo * 0.3
        n = h
    return m[0] * np.sum(m)


@program([(V4,)])
def window_branch(x):
    m = np.outer(x, x)
    r = m[0]
    if x[0] > 0:
        r = m[1]
        r[0] = 3 * x[2]
    else:
        m[1] = 0
    r[1] = r[0] ** 2
    m[1] *= r
    return np.sum(m * m) * np.sum(r)


@program([(V4,)])
def window_tuple_targets(x):
    m = np.outer(x, x)
    (a, b), c = m[:2], m[2]
    a[0], b[1] = b[0], a[1] * c[0]
    c[:], a[:] = a, c
    [d, e, f, g] = m
    d[0] = g[1]
    g[2] += f[0] * e[1]
    return np.sum(m**2)


@program([(V4,)])
def negative_indices(x):
    m = x.copy()
    v = m[1:][::-1]
    v[-1] = v[0] * x[0]
    w = v[:-1][1:]
    w[...] = m[0] ** 2
    u = m[-3:-1]
    u[-2] *= u[1]
    m[-1:] = u[:1]
    m[4:] = 9.0
    m[2:1] += 5.0
    t = m[::-2]
    t += t * t
    m[len(m) - 1] = m[len(t) - 1] * 3
    return np.sum(m**3)


@program([(V4,)])
def shadows_pushpop(x):
    a = x.copy()
    b = x * 2
    s = 0.0
    vs = a
    for i in range(4):
        w = vs[::-1]
        w[i] = vs[i] * b[i]
        if i == 1:
            vs = b
        if i == 2:
            vs = w * 1.0
            w = vs
        w[0] += s
        s = s * 0.1 + np.sum(w * a)
    return s * np.sum(vs * b)


@program([(V4,)])
def shadows_nested(x):
    a = x.copy()
    s = 0.0
    cur = a
    for i in range(3):
        for j in range(2):
            nxt = cur if (i + j) % 2 else cur * x
            nxt[j] = cur[j + 1] * nxt[i]
            cur = nxt
            s = s + np.sum(cur * a)
        cur = cur[::-1] if i == 1 else a
        cur[i] = s * 0.1
    return s * np.sum(cur)


@program([(V4,)])
def shadow_through_sum(x):
    a = x.copy()
    b = a if x[0] > 0 else x * 2
    c = a + b
    b[0] = c[0] * c[1]
    a[1] = 7 * b[0]
    c += b
    d = c if x[1] > 0 else b
    d[2] = c[2] * a[3]
    return np.sum(a * b * c * d)


@program([(V4,)])
def where_seed_shared(x):
    a = x * 1.0
    b = a
    t = a + 0.0
    u = t + 0.0
    u[0] = 0.0
    t[1] = 0.0
    return np.sum(u) + np.sum(t) + np.sum(b)

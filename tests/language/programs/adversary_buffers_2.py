"""Programs against what is done in place: dtypes, views, outputs, containers of buffers."""

import numpy as np

from tests.language.corpus import program

V3 = np.array([0.7, -1.3, 0.4])


V4 = np.array([0.7, -1.3, 0.4, 1.1])


V6 = np.array([0.7, -1.3, 0.4, 1.1, 0.2, -0.5])


Z4 = V4 + 1j * V4[::-1]


M3 = np.array([[0.3, 1.2, -0.4], [-0.7, 0.9, 0.5], [0.1, -0.2, 0.8]])


F6 = V6.astype(np.float32)


@program([(Z4,)])
def cplx_real_part_loop(z):
    w = z * z
    s = 0.0
    for i in range(4):
        w[i] = w[i] * np.conj(w[i - 1])
        s = s + w[i].real
    return s + np.sum(w.imag)


@program([(Z4,)])
def cplx_abs_then_store(z):
    w = z * 1.0
    s = np.sum(np.abs(w) ** 2)
    w[1:] += 1j * w[:-1]
    w[0] = s
    return np.sum(w.real)


@program([(Z4,)])
def cplx_branch(z):
    w = z.copy()
    for i in range(3):
        if i == 1:
            w[i] = w[i].real
        else:
            w[i + 1] *= w[i]
    return np.sum(np.real(w)) + np.imag(w[0])


@program([(Z4, V4)])
def cplx_mixed(z, x):
    w = np.zeros(4, dtype=complex)
    for i in range(4):
        w[i] = x[i] * z[i - 1]
        x = x + np.abs(w)
    w *= x
    return np.sum(w.imag * x)


@program([(V6,)])
def f64_via_32(x):
    y = x.astype(np.float32).astype(np.float64)
    h = x * 1.0
    for i in range(3):
        h[i] = h[i + 1] * h[i]
    return np.sum(h) + 0.0 * np.sum(y)


@program([(V6,)])
def int_buffer_index(x):
    idx = np.zeros(6, dtype=int)
    s = 0.0
    for i in range(6):
        idx[i] = (i * 2) % 5
        s = s + x[idx[i]] * x[idx[i - 1]]
        idx[0] = i % 3
    return s


@program([(V6,)])
def flags_buffer(x):
    seen = np.zeros(6, dtype=bool)
    u = x.copy()
    for i in range(6):
        if not seen[i]:
            seen[(i + 2) % 6] = u[i] > 0
            u[i] *= u[i - 1]
        else:
            seen[:] = False
            u[i] = u[i] ** 2
    return np.sum(u)


@program([(M3,)])
def swap_rows(a):
    a = a.copy()
    for i in range(2):
        a[i], a[i + 1] = a[i + 1].copy(), a[i].copy()
        a[i] *= a[i + 1]
        a[[0, 2]] = a[[2, 0]]
    return np.sum(a**3)


@program([(M3,)])
def swap_elements(a):
    a = a.copy()
    for i in range(3):
        a[i, 0], a[0, i] = a[0, i], a[i, 0] * a[i, i]
    return np.sum(a**2)


@program([(M3,)])
def gauss_seidel(a):
    x = np.zeros(3)
    d = a + 5.0 * np.eye(3)
    for _ in range(3):
        for i in range(3):
            s = 1.0
            for j in range(3):
                if j != i:
                    s -= d[i, j] * x[j]
            x[i] = s / d[i, i]
    return np.sum(x**2)


@program([(M3,)])
def views_rows(a):
    a = a * 1.0
    for i in range(3):
        r = a[i]
        c = a[:, i]
        r *= c[0]
        c += r[-1] * c
        r[1] = c[2]
    return np.sum(a**2)


@program([(M3,)])
def views_diag(a):
    a = a * 1.0
    b = a.T
    for i in range(2):
        b[i, 1:] *= a[i, :2]
        a[0] = b[1]
    return np.sum(a * b)


@program([(V6,)])
def views_reshape(x):
    u = x * 1.0
    m = u.reshape(2, 3)
    for i in range(2):
        m[i, 1:] += m[1 - i, :2] * u[i]
        u[3 * i] = m[0, 0]
    return np.sum(m**2) + u[0]


@program([(V6,)])
def view_of_view(x):
    u = x * 1.0
    a = u[1:]
    b = a[1:-1]
    b *= u[0]
    a[0] = b[0]
    u[2] += b[1] * a[-1]
    return np.sum(u * x)


@program([(V6,)])
def ring(x):
    n = 3
    ring = np.zeros((n, 6))
    ring[0] = x
    for t in range(1, 7):
        ring[t % n] = ring[(t - 1) % n] * 0.5 + ring[(t - 2) % n] * x
    return np.sum(ring[6 % n] * ring[5 % n])


@program([(V6,)])
def leapfrog(x):
    u0 = x.copy()
    u1 = x * 0.9
    u2 = np.empty_like(x)
    for _ in range(4):
        u2[1:-1] = 2 * u1[1:-1] - u0[1:-1] + 0.1 * (u1[2:] - 2 * u1[1:-1] + u1[:-2]) * u1[1:-1]
        u2[0] = 0.0
        u2[-1] = u2[-2]
        u0, u1, u2 = u1, u2, u0
    return np.sum(u1**2) + u0[2]


@program([(V6,)])
def alias_not_copied(x):
    u = x * 1.0
    v = u
    for i in range(3):
        v[i] = u[i + 1] ** 2
        if i == 1:
            v = u.copy()
    return np.sum(u) * np.sum(v * v)


@program([(V6,)])
def rebinding_in_loop(x):
    u = x * 1.0
    for i in range(3):
        v = u
        u = u * x
        v[0] = u[1]
        u[2] = v[0] * v[2]
        u += v
    return np.sum(u * v)


@program([(V6,)])
def inplace_pow(x):
    u = x * x + 1.0
    u **= 2
    u[1:] **= 0.5
    u[::2] /= u[1::2]
    u //= 1e9
    return np.sum(u) + np.sum(x * x)


@program([(V6,)])
def inplace_matmul(x):
    m = np.outer(x, x)
    u = x * 1.0
    for i in range(2):
        u[:] = m @ u
        m[i] = u * 0.3
        m[:, -1] -= u
    return np.sum(u * u)


@program([(V6,)])
def outs(x):
    b = np.empty(6)
    t = np.empty(6)
    s = 0.0
    for i in range(3):
        np.multiply(x, x[i], out=b)
        np.sin(b, out=t)
        np.add(t, b, out=b)
        np.multiply(b, t, t)
        s = s + np.sum(t * b)
    return s


@program([(V6,)])
def outs_overlap(x):
    b = x * 1.0
    np.multiply(b[1:], b[:-1], out=b[:-1])
    np.add(b[::-1], b, out=b)
    np.negative(b[2:4], out=b[2:4])
    return np.sum(b**2)


@program([(V6,)])
def fills(x):
    b = x * 1.0
    s = 0.0
    for i in range(4):
        s += np.sum(b * x)
        b.fill(x[i])
        b[i:] = 0.0
        b[0] += s
    return np.sum(b * x) + s


@program([(V6,)])
def accum_at(x):
    h = np.zeros(3)
    idx = np.array([0, 1, 0, 2, 1, 0])
    for t in range(2):
        np.add.at(h, idx, x * x)
        h *= x[:3]
        np.subtract.at(h, [0, 0], x[1])
    return np.sum(h**2)


@program([(V6,)])
def cumulative(x):
    c = np.zeros(7)
    for i in range(6):
        c[i + 1] = c[i] + x[i] * c[i - 1] + 1.0
    c[1:] -= c[:-1]
    return np.sum(c * c)


@program([(V6,)])
def nested_never(x):
    u = x * 1.0
    for i in range(3):
        for j in range(i, 1):
            u[j] = u[j] * u[i + 1]
            w = u * u
        for k in range(i):
            u[k] += w[k] if i else 0.0
    return np.sum(u)


@program([(V6, 0), (V6, 2)])
def loop_count(x, n):
    u = x * 1.0
    h = np.zeros((n + 1, 6))
    h[0] = u
    for t in range(n):
        h[t + 1] = h[t] * x
    for t in range(n, 0, -1):
        h[t - 1] += h[t]
    return np.sum(h[0] * u)


@program([(V6,)], refusable=True)
def tuple_buffers(x):
    a, b = x * 1.0, x * 2.0
    p = (a, b)
    for i in range(3):
        p[0][i] = p[1][i] * a[i + 1]
        b[1:] += p[0][:-1]
    return np.sum(p[0] * b)

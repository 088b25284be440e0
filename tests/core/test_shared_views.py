"""Views of memory that changes: also those that NumPy gives for some operands, or that nobody may
write to.
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.core.judge import Verdict, judge, programs

X, W = np.array([0.7, -0.4, 1.3, 0.2]), np.arange(4.0)


def conjugate_of_real_numbers(x, a):
    y = x * a
    v = y.conj()
    v[0] = 3.0 * x[1]
    return np.sum(y**3) + np.sum(v**2)


def real_if_close(x, a):
    y = x * a
    v = np.real_if_close(y)
    v[0] = 3.0 * x[1]
    return np.sum(y**3) + np.sum(v**2)


def differences_of_order_zero(x, a):
    y = x * a
    v = np.diff(y, n=0)
    v[0] = 3.0 * x[1]
    w = np.diff(y, n=1)
    w[0] = 2.0
    return np.sum(y**3) + np.sum(v**2) + np.sum(w**2)


def diagonal_that_shows_a_store(x, a):
    y = np.outer(x, x)
    d = np.diagonal(y)
    y[0, 0] = 4 * y[1, 1] * a
    return np.sum(y**3) + np.sum(d * d)


def broadcast_that_shows_a_store(x, a):
    y = x * a
    d = np.broadcast_to(y, (2, 4))
    s = np.sum(d * d)
    y[0] = 4 * y[1]
    return s * np.sum(y**3) + np.sum(d[1] * d[0])


def windows_in_a_loop(x, a):
    b = x * a
    t = np.lib.stride_tricks.sliding_window_view(b, 2)
    s = np.sum(t**2)
    for i in range(2):
        b[i] = -4 * x[1]
        s = s * np.sum(t[i] ** 2)
    return s


def windows_of_a_constant(x, a):
    b = np.ones(4)
    t = np.lib.stride_tricks.sliding_window_view(b, 2)
    s = np.sum(t @ x[:2])
    b[0] = -4
    return s * np.sum(t @ x[:2]) * a


def without_zeros_at_the_ends(x, a):
    b = np.outer(x, x)
    t = np.trim_zeros(b[1])
    t[0] = a
    return np.sum(b * np.arange(16.0).reshape(4, 4))


def view_by_path(x, a):
    b = x * a
    if a > 0:
        d = np.broadcast_to(b, (2, 4))
    else:
        d = np.broadcast_to(x, (2, 4))
    b[0] = 3 * b[1]
    return np.sum(d * d)


def views_made_in_a_loop(x, a):
    b = x * a
    s = 0.0
    for i in range(3):
        d = np.diagonal(np.outer(b, b))
        e = np.broadcast_to(b[1:], (2, 3))
        b[i] = b[i] * 2
        s = s + np.sum(d) * np.sum(e[0] * e[1])
    return s


def real_if_close_of_complex(x, a):
    b = (x + 0j) * a
    v = np.real_if_close(b.conj())
    return np.sum(v * v)


def conjugate_of_every_second(x, a):
    b = x * a
    v = np.conjugate(b[::2])
    for i in range(2):
        v[i] = v[i] * b[i]
        b[2 * i] = b[2 * i] * v[1]
    return np.sum(b * W) + np.sum(v)


def real_if_close_of_a_constant(x, a):
    b = np.ones(4)
    c = np.real_if_close(b)
    s = np.sum(x * c)
    b[0] = 3
    c[1] = 2
    return s * np.sum(x * b) * a


def diagonal_by_subscripts(x, a):
    z = np.outer(x, x) * a
    y = np.einsum(z, [0, 0], [0])
    y[...] = 2.0 * y
    return np.sum(z**3)


def transpose_by_subscripts(x, a):
    z = np.outer(x, x) * a
    first, second = [0, 1], [1, 0]
    y = np.einsum(z, first, second)
    y[0, 1] = 2.0 * y[0, 2]
    return np.sum(z**3)


def squeezed(x, a):
    s = np.squeeze(x[:1])
    t = s
    s *= 3
    return s * t * a


def row_by_subscripts(x, a):
    y = x * a
    d = np.einsum("i->i", y)
    d[:] = d * d
    return np.sum(y**3) + np.sum(d)


def views_in_a_list(x, a):
    y = x * a
    ds = [np.broadcast_to(y, (2, 4)), np.broadcast_to(y, (3, 4))]
    y[1] = 2.0 * y[0]
    return np.sum(ds[0]) * np.sum(ds[1] ** 2)


def view_in_a_function(x, a):
    y = x * a
    d = np.broadcast_to(y, (2, 4))

    def f(t):
        return np.sum(t * d)

    r = f(2.0)
    y[1] = 5 * a
    return r * f(x)


def copy_of_a_view(x, a):
    y = np.outer(x, x)
    d = np.diagonal(y).copy()
    d[0] = a
    y[0, 0] = 2
    return np.sum(d * d) + np.sum(y)


def view_of_a_view(x, a):
    y = np.outer(x, x)
    d = np.diagonal(y)[1:]
    e = d[::2]
    y[...] = y * a
    return np.sum(d * d) + np.sum(e) * np.sum(y)


def view_of_an_argument(x, a):
    d = np.broadcast_to(x, (2, 4))
    x[0] = a * x[1]
    return np.sum(d * d)


def diagonal_on_the_tape(x, a):
    b = np.outer(x, x)
    s = 0.0
    for i in range(2):
        d = np.diagonal(b)
        s = s + np.sum(np.sin(d) * d)
        b[i, i] = s * a
    return s


def windows_on_the_tape(x, a):
    b = x * a
    s = 0.0
    for i in range(2):
        d = np.lib.stride_tricks.sliding_window_view(b, 2)
        s = s + np.sum(np.sin(d) * d)
        b[i] = s * a
    return s


def two_axes_on_the_tape(x, a):
    b = x * a
    s = 0.0
    for i in range(2):
        d = np.atleast_2d(b)
        s = s + np.sum(np.sin(d) * d)
        b[i] = s * a
    return s


def real_if_close_on_the_tape(x, a):
    b = x * a
    s = 0.0
    for i in range(2):
        d = np.real_if_close(b)
        s = s + np.sum(np.sin(d) * d)
        b[i] = s * a
    return s


def meshes(x, a):
    r, t = np.meshgrid(x, x * a, indexing="ij")
    r[0] = t[1]
    r *= t
    return np.sum(r * t)


def factors(x, a):
    q, r = np.linalg.qr(np.outer(x, x) + np.diag(W + 1))
    r[0] = 0
    return np.sum(r * r) * a + np.sum(q[0] ** 2 * W)


def eigenvalues_in_a_loop(x, a):
    s = 0.0
    for i in range(2):
        w, v = np.linalg.eigh(np.outer(x, x) * a + np.diag(W + 1))
        w[i] = w[i] * w[1] + s
        s = s + np.sum(w * w)
    return s


def eigenvalues_by_index(x, a):
    out = np.linalg.eigh(np.outer(x, x) * a + np.diag(W + 1))
    w = out[0]
    w[0] = 3
    return np.sum(w * out[0]) + np.sum(out[1][0] ** 2 * W)


def fractions(x, a):
    f, n = np.modf(x * 3 * a)
    f[0] = a
    return np.sum(f * f)


def slopes(x, a):
    g0, g1 = np.gradient(np.outer(x, x) * a)
    g0[1] = g1[0]
    g1 *= 2
    return np.sum(g0 * g1)


def singular_values(x, a):
    u, s, vt = np.linalg.svd(np.outer(x, x) + np.diag(W + 1))
    s[s < 2] = 0
    return np.sum((u * s) @ vt) * a


def parts_in_a_list(x, a):
    rs = []
    for i in range(2):
        r, t = np.meshgrid(x, x * a)
        rs.append(r)
        rs.append(t)
    rs[1][0, 0] = 2.0
    return np.sum(rs[0] * rs[1]) + np.sum(rs[3])


def parts_by_path(x, a):
    r, t = np.meshgrid(x, x * a)
    if a > 0.5:
        r[0] = 1.0
    else:
        t[0] = 2.0
    return np.sum(r * t * t)


def halves(x, a):
    p, q = np.split(x * a, 2)
    p[0] = q[1]
    p += q
    return np.sum(p * q)


def windows_of_what_may_be_complex(x, a):
    w, v = np.linalg.eig(np.outer(x, x) + np.diag(W + a))
    return np.sum(np.abs(w[1:] * 1j) ** 2 * np.abs(v[0, 1:]) ** 2)


def the_same_array_by_view(x, a):
    y = x.view() * a
    v = y.view()
    v[0] = 2.0
    return np.sum(y * y)


def matrix_of_a_diagonal(x, a):
    b = x * a
    e = np.diag(b, 1)
    e[0, 1] = 7.0 * a
    b[0] = 3.0
    return np.sum(np.diag(b) ** 2) + np.sum(e * e)


@pytest.mark.parametrize("program", programs(globals()), ids=lambda program: program.__name__)
def test_right_in_all_modes(program):
    found = judge(program, [(X, 0.8)], ("x", "a"))
    assert found == Verdict("not yet" if program is view_by_path else "right", found.why)

"""Loops, handlers and iterations over what changes."""

import numpy as np

from tests.language.corpus import program

V3 = np.array([0.7, -1.3, 0.4])
V4 = np.array([0.7, -1.3, 0.4, 1.1])
M = np.array([[0.3, 1.2], [-0.7, 0.9]])


@program([(V4,)], refusable=True)
def raises_in_helper(x):
    c = np.ones(4)
    s = np.sum(x * c)

    def h(i):
        c[i] = 5.0
        if i > 1:
            raise ValueError
        return c[i]

    for i in range(4):
        try:
            s = s * h(i)
        except ValueError:
            s = s + np.sum(x * c)
    return s * np.sum(x * c)


@program([(V4,)])
def zip_two_changing(x):
    a = x.copy()
    b = x * 2
    s = 0.0
    for p, q in zip(a, b):
        s = s * p + q
        a[1:] *= q
        b[2] = s
    for i, (p, q) in enumerate(zip(a[1:], b)):
        a[i] = p * q
        s = s + a[i]
    return s * np.sum(a * b)


@program([(V4,)])
def enumerate_rows_changing(x):
    m = np.outer(x, x)
    s = 0.0
    for i, r in enumerate(m):
        m[(i + 1) % 4] *= r
        r[i] = s
        s = s * 0.1 + np.sum(r)
    for r in m.T:
        r[0] = r[1] * r[2]
        m[0] += 0.1 * r
    for r in reversed(m):
        r *= m[0]
    for r, c in zip(m, m.T):
        r[0] += c[1]
    return s * np.sum(m * m)


@program([(V4,)], refusable=True)
def iterate_slice_copyless(x):
    a = x.copy()
    s = 0.0
    for v in a[1:]:
        a[3] = v * a[0]
        s = s * 0.2 + v
    for v in a[::-1]:
        a[0] += v
        s = s * v + a[0]
    for v in list(a):
        a *= 1.1
        s = s + v * a[1]
    for v in tuple(a):
        a[0] = v * a[2]
        s += v
    for v in a.copy():
        a[2] = v * v
        s += v * a[2]
    for v in a * 2:
        a[1] = v
        s += v * a[0]
    for v in sorted(a):
        s += v * a[0]
        a[0] = v
    for v in a.tolist():
        s += v * a[0]
        a[0] = v
    return s * np.sum(a)


@program([(V4,)])
def tolist_item(x):
    a = np.ones(4)
    s = 0.0
    for v in a.tolist():
        a[1] += v
        s = s + np.sum(x * a) * x[0]
    k = a.tolist()
    a[1] = 9
    j = a[1].item()
    a[1] = 4
    return s * k[1] * j * np.sum(x * a)


@program([(V4,)])
def list_comp_with_store(x):
    a = x.copy()

    def put(i):
        a[i] = a[i] * a[i - 1]
        return a[i] * a[0]

    l = [put(i) for i in range(4) if a[i] < 1]
    return sum(l) * np.sum(a)


@program([(V4,)])
def in_memory_max(x):
    a = x.copy()
    m = a.max()
    i = a.argmax()
    a[i] = a.min() * m
    a[a.argmin()] = a[i] ** 2
    a[np.argsort(a)] = x
    a[np.argsort(a)[:2]] *= a[np.argsort(a)[2:]]
    return np.sum(a**3) * m


@program([(V4,)])
def lu_pivot(x):
    A = (
        np.outer(x, x)
        + np.diag(x + 3)
        + np.array([[0, 5.0, 1, 2], [1, 0, 3, 0], [2, 2, 0, 1], [0, 1, 0, 0]])
    )
    p = np.arange(4)
    for k in range(3):
        j = k + np.argmax(np.abs(A[k:, k]))
        if j != k:
            A[[k, j]] = A[[j, k]]
            p[[k, j]] = p[[j, k]]
        A[k + 1 :, k] /= A[k, k]
        A[k + 1 :, k + 1 :] -= np.outer(A[k + 1 :, k], A[k, k + 1 :])
    y = x[p].copy()
    for i in range(4):
        y[i] -= A[i, :i] @ y[:i]
    for i in range(3, -1, -1):
        y[i] = (y[i] - A[i, i + 1 :] @ y[i + 1 :]) / A[i, i]
    return np.sum(y * y) * np.prod(np.diag(A))


@program([(V4,)])
def it_slice(x):
    a = x.copy()
    s = 0.0
    for v in a[1:]:
        a[3] = v * a[0]
        s = s * 0.2 + v
    for v in a[::-1]:
        a[0] += v
        s = s * v + a[0]
    return s * np.sum(a)


@program([(V4,)], refusable=True)
def it_list(x):
    a = x.copy()
    s = 0.0
    for v in list(a):
        a *= 1.1
        s = s + v * a[1]
    return s * np.sum(a)


@program([(V4,)], refusable=True)
def it_tuple(x):
    a = x.copy()
    s = 0.0
    for v in tuple(a):
        a[0] = v * a[2]
        s += v
    return s * np.sum(a)


@program([(V4,)])
def it_copy(x):
    a = x.copy()
    s = 0.0
    for v in a.copy():
        a[2] = v * v
        s += v * a[2]
    for v in a * 2:
        a[1] = v
        s += v * a[0]
    return s * np.sum(a)


@program([(V4,)], refusable=True)
def it_sorted(x):
    a = x.copy()
    s = 0.0
    for v in sorted(a):
        s += v * a[0]
        a[0] = v
    return s * np.sum(a)


@program([(V4,)])
def it_tolist(x):
    a = x.copy()
    s = 0.0
    for v in a.tolist():
        s += v * a[0]
        a[0] = v
    return s * np.sum(a)


@program([(V4,)], refusable=True)
def list_of_rows_then_store(x):
    m = np.outer(x, x)
    l = list(m)
    t = [r for r in m]
    m[0] = x
    return np.sum(l[0] * t[0] * m[1])


@program([(V4,)], refusable=True)
def list_of_rows_inactive(x):
    m = np.ones((4, 4))
    l = list(m)
    s = np.sum(l[0] * x)
    m[0] = 5
    t = [r for r in m]
    s = s * np.sum(l[0] * x) * np.sum(t[0] * x)
    l[0][1] = 7
    return s * np.sum(m @ x) * np.sum(t[0] * x)

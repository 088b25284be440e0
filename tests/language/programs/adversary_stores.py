"""Stores of every form, and buffers that are used again."""

import numpy as np

from tests.language.corpus import program

V3 = np.array([0.7, -1.3, 0.4])
V4 = np.array([0.7, -1.3, 0.4, 1.1])
M = np.array([[0.3, 1.2], [-0.7, 0.9]])


V3 = np.array([0.7, -1.3, 0.4])
V4 = np.array([0.7, -1.3, 0.4, 1.1])
M = np.array([[0.3, 1.2], [-0.7, 0.9]])


M34 = np.arange(12.0).reshape(3, 4) / 7 - 0.5


@program([(V3,)])
def store_to_put(x):
    b = np.ones(3)
    y = x * b
    np.put(b, [0, 2], 5.0)
    return np.sum(y * b * x)


@program([(V3,)])
def place_(x):
    b = np.ones(3)
    y = x * b
    np.place(b, b > 0, [5.0, 2.0])
    return np.sum(y * b * x)


@program([(V3,)])
def putmask_(x):
    b = np.ones(3)
    y = x * b
    np.putmask(b, [True, False, True], 4.0)
    return np.sum(y * b * x)


@program([(V3,)])
def fill_diagonal_(x):
    b = np.ones((3, 3))
    y = b @ x
    np.fill_diagonal(b, 3.0)
    return np.sum(y * (b @ x))


@program([(V3,)])
def ufunc_at_mult(x):
    b = np.ones(3)
    y = x * b
    np.multiply.at(b, [0, 0, 1], 3.0)
    return np.sum(y * b * x)


@program([(V3,)])
def add_at_active(x):
    b = np.ones(3) * x
    y = x * b
    np.add.at(b, [0, 0, 1], x * x)
    return np.sum(y * b * x)


@program([(V3,)])
def add_at_view(x):
    b = np.zeros((2, 3))
    r = b[1]
    np.add.at(r, [0, 0, 1], x * x)
    np.add.at(b, ([1, 1], [0, 0]), x[:2] * r[0])
    return np.sum(b * b) + np.sum(r**3)


@program([(V3,)], refusable=True)
def subtract_at(x):
    b = np.ones(3) * x
    np.subtract.at(b, [0, 0, 1], x * x)
    return np.sum(b * x)


@program([(V3,)])
def repeated_aug(x):
    b = x * x
    b[[0, 0, 1]] += x * b
    b[[2, 2, 1]] *= x[::-1]
    b[[0, 0, 0]] = x * 3
    return np.sum(b * b)


@program([(M34,)])
def bool_2d(x):
    b = x * x
    m = x > 0.2
    b[m] *= x[m]
    b[b > 0.5] = 0.1
    b[m] = np.sin(b[m])
    b[~m] += 2
    return np.sum(b * b)


@program([(V4,)])
def mask_mutated(x):
    b = x * x
    m = x > 0.2
    b[m] = b[m] ** 2
    m[1] = True
    m[0] = False
    b[m] *= b[m]
    m[:] = b > 0.3
    return np.sum(b * b * m) + np.sum(np.where(m, b**3, b))


@program([(V4,)])
def index_array_mutated(x):
    b = x * x
    p = np.arange(4)
    s = 0.0
    for i in range(4):
        j = i + int(np.argmax(np.abs(b[i:])))
        p[i], p[j] = p[j], p[i]
        b[[i, j]] = b[[j, i]]
        s = s * 0.5 + b[p[i]] * b[i]
    y = x[p]
    p[0] = p[1]
    y[p] = y[p] ** 2
    return s + np.sum(b * y)


@program([(V4,)])
def counter_array_while(x):
    c = np.zeros(1, dtype=int)
    s = 1.0
    y = x.copy()
    while c[0] < 4:
        s = s * y[c[0]] + y[c[0]] ** 2
        y[c[0]] = s
        c[0] += 1
    return s * np.sum(y * y)


@program([(V4,)])
def float_element_while(x):
    y = x.copy()
    n = 0
    while y[0] < 20.0:
        y[0] = y[0] * 1.7 + y[3] * y[3]
        y[1:] = y[1:] * y[0] * 0.1 + y[:-1]
        n += 1
        if n > 9:
            break
    else:
        y[2] = y[2] * y[1]
    return np.sum(y * y)


@program([(V4,)])
def for_over_mutated_len(x):
    n = np.array([4, 2, 3])
    s = 1.0
    for i in range(n[0]):
        n[0] = 1
        s = s * x[i] + x[i]
        n[1] += 1
        for k in range(n[1] - 2):
            n[1] -= 1 if k == 0 else 0
            s = s * 0.7 + x[k] * s
    return s


@program([(V4,)])
def buffer_branch(x):
    buf = np.zeros(4)
    s = 0.0
    for i in range(4):
        if i % 2:
            buf[:] = i + 1.0
        else:
            buf[i] -= 3.0
        s = s + np.sum(x * x * buf) * s + np.sum(np.sin(x * buf))
    return s


@program([(V4,)])
def buffer_closure(x):
    buf = np.zeros(4)

    def fill(k):
        buf[:] = k
        buf[0] = -k

    s = 1.0
    for i in range(3):
        fill(i + 1.0)
        s = s + np.sum(x * buf) * s
    return s


def bump(b, k=1.0):
    b *= 2.0
    b[0] += k
    return b


@program([(V4,)])
def buffer_helper_comp(x):
    buf = np.ones(4)
    l = [np.sum(np.sin(x * bump(buf, i))) for i in range(3)]
    return sum(l) * l[0]


@program([(V4,)])
def expr_order(x):
    b = x.copy()
    return np.sum(b * b) + np.sum(bump(b) * b) + np.sum(b**3)

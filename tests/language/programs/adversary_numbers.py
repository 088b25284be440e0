"""Flags in memory, numbers that are arrays of no dimension, dtypes of what is stored."""

import numpy as np

from tests.language.corpus import program

V3 = np.array([0.7, -1.3, 0.4])
V4 = np.array([0.7, -1.3, 0.4, 1.1])
M = np.array([[0.3, 1.2], [-0.7, 0.9]])


@program([(V4,)])
def flag_array(x):
    c = np.array([1.0])
    s = x[0]
    if c:
        c[0] = 0.0
        s = s * s * x[1]
    return s


@program([(V4,)])
def flag_list(x):
    q = [1]
    s = x[0]
    if q:
        q.pop()
        s = s * s * x[1]
    return s


@program([(V4,)])
def flag_list_after(x):
    q = [1]
    s = x[0]
    if q:
        s = s * s * x[1]
    q.pop()
    return s


@program([(V4,)])
def flag_list_loop(x):
    q = [1, 2]
    s = x[0]
    for i in range(4):
        if q:
            s = s * x[1]
            q.pop()
        else:
            s = s * s + x[2]
            if i == 2:
                q.append(5)
    return s


@program([(V4,)])
def flag_dict(x):
    q = {}
    s = x[0]
    for i in range(4):
        if q:
            s = s * x[1]
        else:
            s = s * s + x[2]
        q[i] = 3
        if i == 1:
            q.clear()
    return s


@program([(V4,)])
def flag_obj_attr(x):
    class Q:
        pass

    q = Q()
    q.on = True
    s = x[0]
    for i in range(4):
        if q.on:
            q.on = False
            s = s * x[1]
        else:
            q.on = True
            s = s * s + x[2]
    return s


@program([(V4,)])
def flag_array_item(x):
    q = np.zeros(1, bool)
    s = x[0]
    for i in range(4):
        if q[0]:
            q[0] = False
            s = s * x[1]
        elif q.sum() == 0 and i > 0:
            q[:] = True
            s = s * s + x[2]
        else:
            q |= True
            s = s + x[3]
    return s


@program([(V4,)])
def flag_zero_d(x):
    q = np.array(True)
    s = x[0]
    for i in range(4):
        if q:
            q[...] = False
            s = s * x[1]
        else:
            q ^= True
            s = s * s + x[2]
    return s


@program([(V4,)])
def range_zero_d(x):
    n = np.array(3)
    s = x[0]
    for i in range(n):
        n -= 1
        s = s * x[1] + x[i]
    return s


@program([(V4,)], refusable=True)
def scalar_then_array(x):
    s = 0.0
    t = 0.0
    for i in range(3):
        s += x * (i + 1.0)
        if i == 0:
            t = s
    return np.sum(t * s)


@program([(V4,)], refusable=True)
def int_then_array(x):
    s = 0
    t = s
    s += x
    t = s
    s += x * x
    return np.sum(t * s)


@program([(V4,)], refusable=True)
def list_of_running(x):
    s = 0.0
    h = []
    for i in range(3):
        s += x * (i + 1.0)
        h.append(s)
    return np.sum(h[0] * h[1] * h[2])


@program([(V4,)], refusable=True)
def list_of_running_copy(x):
    s = 0.0
    h = []
    for i in range(3):
        s = s + x * (i + 1.0)
        h.append(s)
    s *= 2
    return np.sum(h[0] * h[1] * h[2])


@program([(V4,)])
def zero_d_arith_inactive(x):
    n = np.array(2.0)
    m = n * 1
    k = m
    m += 1
    j = n
    n += 1
    return np.sum(x * k) * m * j * np.sum(x * n)


@program([(V4,)])
def sum_axis_scalar(x):
    y = np.sum(x, axis=0)
    z = y
    y += 1
    y *= z
    w = np.max(x)
    v = w
    w -= v * y
    return y * z * w * v


@program([(V4,)])
def where_scalar(x):
    y = np.where(x[0] > 0, x[0], x[1])
    z = y
    y = y + 1
    return y * z


@program([(V4,)])
def where_scalar_aug(x):
    y = np.where(x[0] > 0, x[0], x[1])
    z = y
    y += 1
    return y * z

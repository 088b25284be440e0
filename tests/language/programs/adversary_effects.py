"""Bounds and indices that are evaluated from what changes; memory of nobody's own."""

import numpy as np

from tests.language.corpus import program

V3 = np.array([0.7, -1.3, 0.4])
V4 = np.array([0.7, -1.3, 0.4, 1.1])
M = np.array([[0.3, 1.2], [-0.7, 0.9]])


@program([(V4,)])
def range_bound_changes(x):
    n = np.array([3])
    s = 1.0
    for i in range(n[0]):
        n[0] = 1
        s = s + x[i] * x[i]
    return s


@program([(V4,)])
def range_bound_changes_after(x):
    n = np.array([3])
    s = 1.0
    for i in range(n[0]):
        s = s + x[i] * x[i]
    n[0] = 1
    return s * n[0]


@program([(V4,)])
def range_bound_len_list(x):
    n = [1, 2]
    s = 1.0
    for i in range(len(n)):
        s = s + x[i] * x[i]
        n.append(3)
    return s * len(n)


@program([(V4,)])
def range_bound_list_item(x):
    n = [3]
    s = 1.0
    for i in range(n[0]):
        n[0] = 1
        s = s + x[i] * x[i]
    return s


class C:
    pass


@program([(V4,)])
def range_bound_attribute(x):
    n = C()
    n.k = 3
    s = 1.0
    for i in range(n.k):
        n.k = 1
        s = s + x[i] * x[i]
    return s


@program([(V4,)])
def random_index(x):
    g = np.random.default_rng(3)
    b = x.copy()
    b[g.integers(4)] = x[0] * x[1]
    return np.sum(b * b * b)


@program([(V4,)])
def random_index_load(x):
    g = np.random.default_rng(3)
    b = x * x
    return b[g.integers(4)] * b[g.integers(4)] * b[g.integers(4)]


@program([(V4,)])
def random_index_aug(x):
    g = np.random.default_rng(3)
    b = x * x
    b[g.integers(4)] += x[g.integers(4)] ** 2
    b[g.permutation(4)] *= x
    return np.sum(b**2)


@program([(V4,)])
def next_index(x):
    it = iter([3, 1, 2, 0])
    b = x * x
    b[next(it)] = x[next(it)] ** 2
    return np.sum(b**2)


@program([(V4,)])
def pop_index(x):
    q = [3, 1, 2, 0]
    b = x * x
    b[q.pop()] = x[q.pop()] ** 2
    return np.sum(b**2) * q[0]


@program([(V4,)])
def pop_index_loop(x):
    q = [3, 1, 2, 0]
    s = 1.0
    while q:
        s = s * x[q.pop()] + s
    return s


@program([(V4,)])
def range_call_bound(x):
    q = [3, 1, 2, 0]
    s = 1.0
    for i in range(q.pop(1) + q.pop(0)):
        s = s * x[i] + s
    return s * len(q)


@program([(V4,)])
def range_random_bound(x):
    g = np.random.default_rng(3)
    s = 1.0
    for i in range(g.integers(2, 4)):
        for j in range(g.integers(1, 4)):
            s = s * x[j] + s
    return s


@program([(V4,)])
def slice_from_mutated(x):
    lo = np.array([1, 3])
    b = x * x
    c = b[lo[0] : lo[1]]
    lo[0] = 0
    c[0] = c[1] * 3
    lo[1] = 2
    d = b[lo[0] : lo[1]]
    d *= c
    return np.sum(b**2) + np.sum(c * d)


@program([(V4,)], refusable=True)
def slice_from_list(x):
    lo = [1, 3]
    b = x * x
    c = b[lo[0] : lo[1]]
    lo[0] = 0
    c[0] = c[1] * 3
    y = b[lo[0]] * b[lo[1]]
    lo[1] = 2
    return np.sum(b**2) + np.sum(c * c) * y * b[lo[1]]


@program([(V4,)], refusable=True)
def index_list_slice_changes(x):
    idx = [0, 1]
    b = x * x
    y = b[idx]
    idx[0] = 3
    z = b[idx]
    b[idx] = y * z
    idx[1] = 2
    idx.append(1)
    return np.sum(b**2) + np.sum(b[idx] ** 3)


@program([(V4,)], refusable=True)
def index_list_in_loop(x):
    idx = [0, 1]
    b = x * x
    s = 0.0
    for i in range(4):
        y = b[idx]
        s = s + np.sum(y * y)
        idx[i % 2] = i
        b[idx] = y * x[i]
    return np.sum(b**2) + s


@program([(V4,)])
def tryfinally(x):
    b = x.copy()
    s = 0.0
    try:
        b[0] = b[1] * b[2]
        s = b[0] * b[1]
    finally:
        b[1] = b[0] * s
    return np.sum(b * b)

"""Indices of which it is known that they name no element twice, and such as only seem so."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import M33, M34, V3, V4, V5, V6


@program([(V5,), (V6,)], analytic=False)
def by_order(x):
    order = np.argsort(x)
    best = order[::-1][:3]
    return x[order] @ np.arange(1.0, x.size + 1) + np.sum(x[best] ** 3)


@program([(M33, 2.0), (M33, 0.5)], analytic=False)
def diagonal_shifted(a, s):
    a = a * 1.5
    a[np.diag_indices(3)] += s**2
    return np.sum(a**2) + np.sum(a @ a)


@program([(M33,)], analytic=True)
def triangles(a):
    rows, columns = np.tril_indices(3)
    upper = np.triu_indices(3, k=1)
    return np.sum(a[rows, columns] ** 2) * np.sum(a[upper] ** 3)


@program([(V5,), (V6,)], analytic=False)
def chosen(x):
    positive = np.nonzero(x > 0.1)
    large = np.where(x > 0.5)[0]
    nonzero = np.flatnonzero(x)
    return np.sum(x[positive] ** 2) + np.sum(x[large] ** 3) * np.sum(x[nonzero])


@program([(V6,)], analytic=True)
def order_changed_afterwards(x):
    order = np.argsort(np.array([2.0, 0.0, 1.0]))
    order[1] = order[0]
    return np.sum(x[order] ** 2)


@program([(V6,)], analytic=True)
def order_changed_through_a_view(x):
    order = np.argsort(np.array([2.0, 0.0, 1.0, 5.0]))
    half = order[1:]
    half[...] = 0
    return np.sum(x[order] ** 2)


@program([(V6, 1), (V6, 0)], analytic=True)
def one_of_two_orders(x, first):
    order = np.arange(3)
    if first:
        order = np.array([1, 1, 2])
    return np.sum(x[order] ** 2)


@program([(V6,), (V3,)], analytic=True)
def counts_that_wrap(x):
    k = np.arange(-3, 3)
    return np.sum(x[k] ** 2 * np.arange(6.0))


@program([(M34,)], analytic=False)
def orders_of_rows(a):
    order = np.argsort(a, axis=1)
    return np.sum(a[0][order] ** 2)


@program([(M34,)], analytic=True)
def an_order_of_one_repeated(a):
    first = np.arange(1)
    other = np.array([2, 2, 1])
    return np.sum(a[first, other] ** 2)


@program([(M33,)], analytic=True)
def rows_of_one_and_columns_of_another(a):
    rows, columns = np.tril_indices(3)
    others, more = np.triu_indices(3)
    return np.sum(a[rows, rows] ** 2) + np.sum(a[rows, more] ** 3) + np.sum(a[others, columns])


@program([(V6, V4)], analytic=False)
def stored_by_order(x, y):
    x = x * 1.0
    order = np.argsort(np.array([2.0, 0.0, 1.0, 5.0]))
    x[order] = y * x[order]
    x[order] += y**2
    x[order[:2]] *= y[:2]
    return np.sum(x**2)


@program([(V6, V4)], analytic=False)
def stored_where_some_are_the_same(x, y):
    x = x * 1.0
    order = np.array([1, 4, 1, 2])
    x[order] = y * x[order]
    x[order] += y**2
    return np.sum(x**3)


@program([(V6, 4), (V5, 1), (V6, 0)], analytic=True)
def three_buffers_in_turn(c, steps):
    before = c * 0.5
    now = np.cos(c)
    for _ in range(steps):
        after = np.zeros_like(now)
        after[1:-1] = 2 * now[1:-1] - before[1:-1] + c[1:-1] * (now[2:] - now[:-2])
        after[0] = now[1]
        before, now = now, after
    return np.sum(now**2) + np.sum(now * before)


@program([(V6, 4), (V5, 3)], analytic=True)
def three_buffers_that_are_swapped(c, steps):
    before = c * 0.5
    now = np.cos(c)
    after = np.sin(c)
    for k in range(steps):
        after[1:-1] = 2 * now[1:-1] - before[1:-1] + c[1:-1] * (now[2:] - now[:-2])
        if k % 2:
            after[1:-1] *= now[:-2]
        before, now, after = now, after, before
    return np.sum(now**2) + np.sum(now * before) + np.sum(after)


@program([(V6, 3)], analytic=True)
def a_buffer_that_a_view_outlives(x, n):
    a = x * 2.0
    total = 0.0
    for _ in range(n):
        part = a[1:]
        a = x + a[0]
        a[1:] *= part
        total = total + np.sum(part * a[:-1])
    return total


@program([(V6,)], analytic=False)
def a_mask_changed_through_a_view(x):
    x = x * 1.0
    mask = np.array([True, True, False, False, True, False])
    part = mask[1:4]
    v = x[mask]
    part[...] = np.array([False, True, False])
    x[mask] = v * 2.0
    return np.sum(x**2 * np.arange(1.0, 7.0))


@program([(V6,)], analytic=False)
def an_order_changed_through_a_view_between_stores(x):
    x = x * 1.0
    order = np.argsort(np.array([0.0, 1.0, 2.0]))
    rest = order[1:]
    v = np.sin(x[order])
    rest[...] = np.array([4, 3])
    x[order] = v * 2.0
    w = x[order]
    rest[...] = np.array([5, 3])
    x[order] = w * v
    return np.sum(x**2 * np.arange(1.0, 7.0))


@program([({"u": V3}, V4[:3])], analytic=False)
def parts_of_a_dict_whose_memory_changes(d, x):
    w = d["u"] * x
    u = d["u"]
    s = np.sum(np.exp(d["u"] * 0.5))
    u[0] = 5.0 * x[0]
    return np.sum(w) * s + np.sum(d["u"] ** 2 * x)

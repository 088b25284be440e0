"""Calls that change arrays: what they store, where they put what they give."""

from __future__ import annotations

import operator

import numpy as np
import pytest

from tests.core.judge import Verdict, judge

X = np.array([0.5, 0.7, -1.1, 0.9])


def filled(x):
    y = x * x
    y[1:].fill(x[0] ** 2)
    z = np.empty(3)
    z.fill(2.0)
    return np.sum(y * z[0] * x)


def copied_to(x):
    y = np.zeros((2, 4))
    np.copyto(y, x * x)
    np.copyto(y[1], x[::-1], where=x > 0.6)
    np.copyto(y, x, where=x < 0.6)
    return np.sum(y * y)


def over_axes(x):
    m = np.outer(x, x)
    total = np.sum(np.apply_over_axes(np.sum, m, 0) ** 2)
    total = total + np.sum(np.apply_over_axes(np.median, m, -1) ** 3)
    return total + np.sum(np.apply_over_axes(lambda a, k: a**2 * (k + 1), m, (0, -1)))


def put_by_number(x):
    y = x * x
    np.put(y, [0, 2], x[1:3])
    np.put(y, [0, 0, -1], x[0])
    y.put([1, 1], x[2:])
    np.put(y, 2, x[1] ** 3)
    m = np.outer(x, x)
    np.put(m, [1, 7, 2], x[:3] ** 2)
    np.put(m.T, [1, 7, 2], x[1])
    np.put(m, [0, -1, 3, 4], x[1:3])
    return np.sum(y * x) + np.sum(m**3)


def put_by_mask(x):
    y = x * x
    np.putmask(y, y > 0.4, x**3)
    np.putmask(y, x > 0.8, x[0])
    np.putmask(y, y < 0.4, x[:2])
    np.place(y, x > 0.6, x[1:] ** 2)
    return np.sum(y * y)


def diagonals_filled(x):
    m = np.outer(x, x)
    np.fill_diagonal(m, x[0] ** 2)
    np.fill_diagonal(m[1:], x[1:] * x[:3])
    np.fill_diagonal(m[:, 2:], x[0] * x)
    return np.sum(m**3)


def put_along_axes(x):
    m = np.outer(x, x)
    np.put_along_axis(m, np.array([[0], [1], [1], [2]]), x[0], axis=1)
    np.put_along_axis(m, np.array([[0, 1, 1, 2]]), x**2, 0)
    y = x * x
    np.put_along_axis(y, np.array([0, 1, 1, 2]), x**3, 0)
    return np.sum(m**3) + np.sum(y * y)


def special_methods(x):
    y = x * x
    y.__setitem__(slice(1, 3), x[0])
    operator.setitem(y, 0, y[1] * x[3])
    z = operator.iadd(y, x)
    z.__imul__(z)
    operator.ipow(y, 2)
    y.__setitem__([0, 0], x[2:])
    return np.sum(y * y) + operator.getitem(y, 1) + operator.iadd(x[0], x[1])


def sorted_in_place(x):
    y = x * x
    y.sort()
    m = np.outer(x, y)
    m.sort(0)
    m[1:].sort(axis=1)
    return np.sum(y * x) + np.sum(m**3 * x)


def added_at_places(x):
    y = x * x
    i = np.array([0, 1, 1, 3])
    np.add.at(y, i, x * y[1])
    np.subtract.at(y, [0, 0], x[0] ** 2)
    np.add.at(y, slice(1, 3), x[1:3])
    np.multiply.at(y, [0, 2], x[2:])
    np.multiply.at(y, x > 0.6, x[1])
    m = np.outer(x, x)
    np.add.at(m, ([0, 1, 1], [2, 3, 3]), x[1:])
    np.add.at(m, [1, 1], x)
    np.add.at(m.T, (slice(None), [1, 1]), x[0])
    return np.sum(y * y) + np.sum(m**3)


def added_at_places_in_a_loop(x):
    y = np.zeros(4)
    for k in range(3):
        np.add.at(y, np.array([k, k, k + 1]), np.sin(x[:3]) * (1 + y[k]))
    return np.sum(y**2)


def given_out(x):
    c = np.zeros(4)
    np.multiply(x, x, out=c)
    np.add(c[1:], c[:-1], c[1:])
    d = np.multiply(c, x, out=c)
    d += np.exp(c, out=(c,))
    np.add(x, 1.0, None)
    t = np.empty(())
    s = np.sum(c * c, out=t)
    np.cumsum(c, out=c)
    c.clip(0.1, 2.0, out=c)
    np.sum(np.outer(x, x), 0, None, c[:])
    return s + np.sum(c * d)


def given_out_of_two(x):
    b, c = x * 0.9, np.ones(4)
    np.modf(b, c)
    np.modf(b, None, c)
    q, r = np.empty(4), np.empty(4)
    np.divmod(b, 0.3, q, r)
    s, _ = np.divmod(b, 0.3, out=(None, r))
    return np.sum(c * b) + np.sum(r * r) + np.sum(s * b) + np.sum(q * b)


def given_out_where_masked(x):
    c = x * x
    np.sqrt(x, out=c, where=x > 0.6)
    np.divide(1.0, x, where=x < 0.0, out=c)
    m = np.outer(x, x)
    np.log(x, out=m, where=x > 0.0)
    np.multiply(m, x[:, None], out=m, where=m > 0.1)
    return np.sum(c * c * x) + np.sum(m)


def methods_with_names(x):
    y = x * x
    f = y.fill
    f(x[0] ** 2)
    g = y.__setitem__
    g(1, x[2])
    return np.sum(y * y)


def squares_into_themselves(x):
    m = np.outer(x, x + 1.0)
    np.multiply(m, m.T, out=m)
    np.multiply(m, m.T, out=m.T)
    m *= 0.1
    np.matmul(m, m, out=m)
    np.dot(m, x, out=m[0])
    return np.sum(m * m.T)


def outputs_in_a_loop(x):
    y = x * x
    t = np.empty(4)
    s = 0.0
    for i in range(3):
        np.multiply(y, y[i], out=t)
        d = np.sin(t, out=t)
        d[i] = x[i] ** 2
        np.add(y, t, out=y)
        s += np.sum(t * y)
        t.fill(y[i])
        y[:2].fill(s)
        t.sort()
    return s + np.sum(t)


def output_on_one_path(x):
    y = x * x
    c = np.zeros(4)
    if x[0] > 0.4:
        d = np.exp(y, out=c)
    else:
        d = np.exp(y)
    c[0] = 3.0 * x[1]
    return np.sum(d * c)


def rows_of_numbers(x):
    y = np.zeros((4, 2))
    for i in range(4):
        y[i] = [x[i] ** 2, y[i - 1, 0] * x[0]]
        y[i, 1] = np.where(x[i] > 0.6, x[i], y[i, 1])
        y[i] += (y[i, 1], x[0])
    return np.sum(y**2)


def places_of_flat(x):
    m = np.outer(x, x)
    m.flat[2] = x[0] ** 2
    m.T.flat[-2] = x[1] * m[0, 2]
    for k in range(3):
        m.flat[k] += x[k] * m.flat[k + 1]
    y = x * x
    y.flat[1] = y.flat[2] * x[0]
    return np.sum(m * m) + np.sum(y * x)


def all_of_flat(x):
    m = np.outer(x, x)
    z = np.zeros((4, 4))
    z.flat = m.T**2
    w = np.ones((2, 4))
    w.T.flat = x
    m.flat = x[0]
    return np.sum(z * z) + np.sum(w * w) + np.sum(m)


def parts_of_flat(x):
    m = np.outer(x, x)
    m.flat[1:6] = x[:2] ** 2
    m.flat[::5] *= x[0]
    m.T.flat[np.array([1, 1, 3])] = x[1:] * 3
    m.flat[(m > 0.3).ravel()] -= x[0]
    c = m.flat[2:5]
    c[0] = 7.0
    y = x * x
    d = y.flat[1:3]
    d[0] = x[0]
    return np.sum(m * m) + np.sum(c) + np.sum(y * y)


def nothing_to_change(x):
    y = x * x
    for i in range(0):
        y.fill(x[0])
        np.add(y, 1.0, out=y)
    y[2:2].fill(x[1])
    np.add(y[2:2], x[0], out=y[2:2])
    np.add.at(y, np.array([], dtype=int), x[1])
    return np.sum(y * y)


def the_argument_is_changed(x):
    np.multiply(x, x, out=x)
    x.sort()
    x.fill(x[1])
    return np.sum(x * x)


def arrays_of_a_list(x):
    parts = [x * x, x + 1.0]
    np.multiply(parts[0], parts[1], out=parts[1])
    for p in parts:
        p.sort()
        np.put(p, [0, 1], p[2:])
    return np.sum(parts[0] * parts[1] * x)


def views_that_are_added_to(x):
    y = x * x
    z = y[1:]
    np.add.at(z, [0, 0, 2], y[:3])
    np.subtract.at(y, [1, 1], z[0])
    np.put(z, [0], z[1] * y[0])
    w = np.add(z, z, out=z)
    w[0] += y[1] * x[0]
    return np.sum(y * y)


def diagonals_in_a_loop(x):
    m = np.outer(x, x)
    for i in range(3):
        np.fill_diagonal(m, m[i] * x)
        np.fill_diagonal(m[i:], m[0, i])
    return np.sum(m * m)


def calls_in_expressions(x):
    y = x * x
    y.fill(y[0])
    (y.fill(x[1]), y.sort())
    return np.sum(y * y) + (y.fill(x[2] ** 2) or y[0])


PROGRAMS = [
    value for value in list(globals().values()) if getattr(value, "__module__", "") == __name__
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_right_in_all_modes(program):
    assert judge(program, [(X,), (X[::-1] * 0.6,)], ("x",)) == Verdict("right")

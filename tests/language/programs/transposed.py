"""`zip(*rows)`, and iterators that are taken apart."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import M23

trapezoid = getattr(np, "trapezoid", None) or np.trapz  # NumPy 1


@program([(0.3,)], analytic=False)
def columns_of_a_history(b):
    history = [(0.1, b)]
    for _ in range(3):
        y = history[-1]
        history.append(tuple(u + b * v for u, v in zip(y, (y[1], y[0]))))
    s, i = (np.array(c) for c in zip(*history))
    return i.max() + s.sum()


@program([(0.3,)], analytic=True)
def columns_of_several_kinds(b):
    rows = [(k, b * k, np.array([b, k])) for k in range(4)]
    t, u, v = zip(*rows)
    return sum(u) * len(t) + np.sum(v)


@program([(M23,)], analytic=True)
def pairs_of_columns(m):
    total = 0.0
    for a, b in zip(*m):
        total += a * b
    return total


@program([(M23,)], analytic=True)
def listed_columns(m):
    columns = list(zip(*m))
    return np.array(columns)[0, 1] * columns[1][0]


@program([(M23,)], analytic=True)
def iterators_taken_apart(m):
    a, b = map(np.cumsum, m)
    c, d = (r * 2 for r in m)
    e, f = reversed(m)
    return a @ b + c.sum() * d[0] + e[0] * f[0]


@program([(0.4,)], analytic=False)
def points(b):
    found = [(1.0, b), (b, 2.0), (0.5, b * b)]
    xs, ys = zip(*found)
    ys = np.asarray(ys)
    return trapezoid(ys, np.array(xs)) + ys.max()


@program([(M23,)], analytic=True)
def tuples_of_what_was_appended(m):
    out = []
    for k in range(2):
        inner = []
        for r in m:
            inner.append(r[k])
        out.append(tuple(inner))
    return out[0][1] * out[1][0]


@program([(M23,)], analytic=True)
def columns_that_change_in_the_loop(m):
    m = m.copy()
    total = 0.0
    for a, b in zip(*m):
        total += a * b * total + a
        m[0, 2] = total * total
    return total


@program([(M23,)], analytic=True)
def rows_replaced_in_the_loop(m):
    rows = [m[0] * 1.0, m[1] * 2.0]
    total = 0.0
    for a, b in zip(*rows):
        total += a * b + total * a
        rows[1] = m[0]
    return total


def column(m, k):
    return m[k] * 2.0


@program([(M23,)], analytic=True)
def names_of_our_own(m):
    zipped = column(m[0], 1)
    for a, b in zip(*m):
        zipped += a * b * column(m[1], 2)
    return zipped

"""Arrays that are filled slot by slot while earlier slots are read: what may be left unrecorded."""

import numpy as np

from tests.language.corpus import program

V = np.array([0.7, -1.3, 0.4, 1.1])
M = np.arange(1.0, 13.0).reshape(3, 4) / 7.0


@program([(V, 5)])
def forwards(x, n):
    h = np.zeros((n + 1, 4))
    h[0] = x
    for t in range(n):
        h[t + 1] = np.sin(h[t]) * h[t]
    return np.sum(h[n] ** 2)


@program([(V, 5)])
def backwards(x, n):
    h = np.zeros((n + 1, 4))
    h[n] = x
    for t in range(n - 1, -1, -1):
        h[t] = h[t + 1] * np.cos(h[t + 1])
    return np.sum(h[0] ** 3)


@program([(V, 5)])
def reversed_range(x, n):
    h = np.zeros((n + 1, 4))
    h[n] = x
    for t in reversed(range(n)):
        h[t] = h[t + 1] * np.cos(h[t + 1])
    return np.sum(h[0] ** 3)


@program([(V, 5)])
def against_the_grain(x, n):
    """Reads what later iterations overwrite."""
    h = np.ones((n + 1, 4)) * x
    for t in range(n):
        h[t] = h[t + 1] * np.cos(h[t + 1])
    return np.sum(h**3)


@program([(V, 5)])
def wraps_around(x, n):
    """In the first iteration `h[t - 1]` is the last row, which is overwritten in the end."""
    h = np.ones((n, 4)) * x
    for t in range(n):
        h[t] = h[t - 1] * np.cos(h[t - 1]) + t
    return np.sum(h**3)


@program([(V, 5)])
def same_slot_before(x, n):
    h = np.ones((n, 4)) * x
    for t in range(n):
        y = np.sum(np.sin(h[t]) * h[t])
        h[t] = y * x * h[t]
    return np.sum(h**2)


@program([(V, 5)])
def same_slot_after(x, n):
    h = np.ones((n, 4))
    s = 0.0
    for t in range(n):
        h[t] = x * (t + 1.0)
        s = s + np.sum(np.sin(h[t]) * h[t])
    return s


@program([(V, 5)])
def twice(x, n):
    """The slot is read between two stores."""
    h = np.ones((n + 1, 4))
    for t in range(n):
        h[t + 1] = x * h[t]
        h[t + 1] *= np.sin(h[t + 1])
        h[t + 1] = 0.2 * h[t + 1] ** 2 + 0.3 * h[t]
    return np.sum(h[n])


@program([(V, 3)])
def filled_again(x, n):
    """An outer loop fills the same array again."""
    h = np.ones((n + 1, 4))
    s = 0.0
    for k in range(3):
        h[0] = x * (k + 1)
        for t in range(n):
            h[t + 1] = np.sin(h[t]) * 0.5
        s = s + np.sum(h[n] * h[1])
    return s


@program([(V, 3)])
def made_again(x, n):
    """In each iteration of the outer loop it is another array."""
    s = 0.0
    for k in range(3):
        h = np.ones((n + 1, 4))
        h[0] = x * (k + 1)
        for t in range(n):
            h[t + 1] = np.sin(h[t]) * 0.5
        s = s + np.sum(h[n] * h[1])
    return s


@program([(V, 3)])
def made_from_the_last(x, n):
    h = np.ones((n + 1, 4)) * x
    for k in range(3):
        g = np.zeros((n + 1, 4))
        g[0] = h[n]
        for t in range(n):
            g[t + 1] = np.sin(g[t]) * h[t]
        h = g
    return np.sum(h**2)


@program([(M,)])
def table(a):
    """Dynamic programming: the element above, the one on the left."""
    n, m = a.shape
    d = np.zeros((n + 1, m + 1))
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            d[i, j] = a[i - 1, j - 1] * np.exp(-d[i - 1, j]) + d[i, j - 1] * d[i - 1, j - 1]
    return d[n, m]


@program([(M,)])
def table_by_columns(a):
    n, m = a.shape
    d = np.ones((n + 1, m + 1))
    for j in range(1, m + 1):
        for i in range(n, 0, -1):
            d[i - 1, j] = a[i - 1, j - 1] * d[i, j] * d[i - 1, j - 1] + d[i, j - 1] ** 2
    return d[0, m]


@program([(M,)])
def table_read_ahead(a):
    """The element on the right is overwritten later."""
    n, m = a.shape
    d = np.ones((n + 1, m + 1))
    for i in range(n):
        for j in range(m):
            d[i, j] = a[i, j] * d[i, j + 1] ** 2 * d[i + 1, j]
    return np.sum(d**2)


@program([(V, 6)])
def strides(x, n):
    h = np.ones(2 * n + 2) * x[0]
    for t in range(0, 2 * n, 2):
        h[t + 2] = h[t] * h[t + 1] * x[1]
    return np.sum(h**2)


@program([(V, 6)])
def strides_that_meet(x, n):
    h = np.ones(2 * n + 4) * x[0]
    for t in range(0, 2 * n, 2):
        h[t + 2] = h[t] * h[t + 4 - 2] * h[t + 3] * x[1]
        h[t + 1] = h[t] * h[t + 1]
    return np.sum(h**2)


@program([(V, 5)])
def index_by_name(x, n):
    h = np.ones((n + 1, 4)) * x
    for t in range(n):
        following = t + 1
        h[following] = np.sin(h[t]) * h[t]
    return np.sum(h**2)


@program([(V, 5)])
def index_of_before(x, n):
    """`k` is read before it is set: it is that of the iteration before."""
    h = np.ones((n + 3, 4)) * x
    k = 0
    for t in range(n):
        h[k] = np.sin(h[t + 1]) * h[t]
        k = t + 2
    return np.sum(h**2)


@program([(V, 5)])
def view_of_before(x, n):
    h = np.ones((n + 1, 4)) * x
    row = h[0]
    for t in range(n):
        h[t + 1] = np.sin(row) * row
        row = h[t + 1]
    return np.sum(row**2)


@program([(V, 5)])
def view_kept_on_condition(x, n):
    h = np.ones((n + 1, 4)) * x
    s = 0.0
    for t in range(n):
        if t > 1:
            s = s + np.sum(row * np.sin(row))  # noqa: F821
        row = h[t + 1]
        h[t] = x * np.sum(h[t])
    return s


@program([(V, 5)])
def columns(x, n):
    h = np.ones((4, n + 1))
    h[:, 0] = x
    for t in range(n):
        h[:, t + 1] = np.sin(h[:, t]) ** 2 * x
    return np.sum(h[:, n])


@program([(V, 5)])
def whole_read_inside(x, n):
    h = np.zeros((n + 1, 4))
    h[0] = x
    for t in range(n):
        h[t + 1] = np.sin(h[t]) + np.sum(h**2) * 0.1
    return np.sum(h[n] ** 2)


@program([(V, 5)])
def last_row_by_minus_one(x, n):
    h = np.ones((n + 1, 4)) * x
    for t in range(n):
        h[t + 1] = np.sin(h[-1]) * h[t]
    return np.sum(h**2)


@program([(V, 4)])
def through_an_alias(x, n):
    h = np.ones((n + 1, 4)) * x
    g = h
    s = 0.0
    for t in range(n):
        s = s + np.sum(g[t + 1] ** 2 * g[t])
        h[t + 1] = np.sin(h[t]) * h[t]
    return s + np.sum(g)


@program([(V, 5)])
def stopped(x, n):
    h = np.ones((n + 1, 4)) * x
    for t in range(n):
        h[t + 1] = np.sin(h[t]) * h[t]
        if np.sum(h[t + 1]) < 0.2:
            break
    return np.sum(h[t + 1] * h[t])


@program([(V, 5)])
def on_a_branch(x, n):
    h = np.ones((n + 1, 4)) * x
    for t in range(n):
        if t % 2:
            h[t + 1] = h[t] ** 2
        else:
            h[t] = h[t] * np.sin(h[t])
        h[t + 1] *= np.cos(h[t])
    return np.sum(h**2)


@program([(V, 0), (V, 1), (V, 5)])
def from_minus_one(x, n):
    """A range that begins below zero: `h[-1]` first."""
    h = np.ones((n + 1, 4)) * x
    for t in range(-1, n):
        h[t + 1] = h[t] * np.sin(h[t])
    return np.sum(h**2)


@program([(V, 5)])
def counter_changed(x, n):
    h = np.ones((2 * n + 2, 4)) * x
    for t in range(n):
        t = 2 * t
        h[t + 1] = h[t] * np.sin(h[t + 2])
    return np.sum(h**2)


@program([(V, 5)])
def two_histories(x, n):
    p = np.zeros((n + 1, 4))
    q = np.zeros((n + 1, 4))
    p[0] = x
    q[0] = 0.5 * x
    for t in range(n):
        p[t + 1] = p[t] - 0.1 * np.sin(q[t])
        q[t + 1] = q[t] + 0.1 * p[t + 1] * p[t]
    return np.sum(p[n] * q[n - 1])


@program([(V, 5)])
def while_counted(x, n):
    h = np.ones((n + 1, 4)) * x
    t = 0
    while t < n:
        h[t + 1] = h[t] * np.sin(h[t])
        t += 1
    return np.sum(h**2)


@program([(V, 3)])
def another_loop_of_that_counter(x, n):
    """`v` is the last row, whatever `t` is in the second loop."""
    h = np.ones((n + 1, 4)) * x
    s = 0.0
    for t in range(n):
        v = h[t]
        s = s + np.sum(v)
    for t in range(n):
        s = s + np.sum(np.sin(v) * v)
        h[t + 1] = x * s * 0.1
    return s


@program([(V, 3)])
def view_of_a_view_of_another_loop(x, n):
    h = np.ones((n + 1, 4)) * x
    s = 0.0
    for t in range(n):
        w = h[t]
        s = s + np.sum(w)
    for t in range(n):
        v = w[1:]
        s = s + np.sum(np.sin(v) * v)
        h[t + 1] = x * s * 0.1
    return s


@program([(V, 3)])
def view_of_the_outer_loop(x, n):
    h = np.ones((n + 2, 4)) * x
    s = 0.0
    for t in range(n):
        w = h[t + 1]
        for k in range(t, n):
            s = s + np.sum(w * np.sin(w))
            h[k] = h[k] * s * 0.1
    return s

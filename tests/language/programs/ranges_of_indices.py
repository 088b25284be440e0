"""Arrays that are filled element by element, with indices that lie beside each other.

Where no element is stored to after it was read, the reverse sweep reads it again; each of the first
programs has a sister further down in which it is.
"""

import numpy as np

from tests.language.corpus import program
from tests.language.data import V3

V5 = np.array([0.7, -0.4, 1.1, 0.9, -1.3])
M4 = np.diag([4.0, 5.0, 6.0, 7.0]) + 0.1 * np.cos(np.arange(16.0)).reshape(4, 4)
SYMMETRIC = M4 + M4.T


@program([(M4, np.arange(1.0, 5.0))], analytic=True)
def forward_substitution(lower, b):
    n = len(b)
    x = np.zeros(n, (b[0] * lower[0, 0]).dtype)
    for i in range(n):
        s = b[i]
        for j in range(i):
            s -= lower[i, j] * x[j]
        x[i] = s / lower[i, i]
    return np.sum(x**3)


@program([(M4, np.arange(1.0, 5.0))], analytic=True)
def back_substitution(upper, b):
    n = len(b)
    x = np.zeros(n, (b[0] * upper[0, 0]).dtype)
    for i in range(n - 1, -1, -1):
        s = b[i]
        for j in range(i + 1, n):
            s -= upper[i, j] * x[j]
        x[i] = s / upper[i, i]
    return np.sum(x**3)


@program([(SYMMETRIC,)], analytic=True)
def cholesky_by_rows(a):
    n = a.shape[0]
    lower = np.zeros((n, n), a.dtype)
    for i in range(n):
        for j in range(i + 1):
            s = a[i, j]
            for k in range(j):
                s -= lower[i, k] * lower[j, k]
            if i == j:
                lower[i, j] = np.sqrt(s)
            else:
                lower[i, j] = s / lower[j, j]
    return np.sum(lower**3)


@program([(SYMMETRIC,)], analytic=True)
def cholesky_by_columns(a):
    n = a.shape[0]
    lower = np.zeros((n, n), a.dtype)
    for j in range(n):
        lower[j, j] = np.sqrt(a[j, j] - np.sum(lower[j, :j] ** 2))
        for i in range(j + 1, n):
            lower[i, j] = (a[i, j] - lower[i, :j] @ lower[j, :j]) / lower[j, j]
    return np.sum(lower**3)


@program([(M4,)], analytic=True)
def elimination_in_place(m):
    a = m.copy()
    n = a.shape[0]
    for k in range(n - 1):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            a[i, k + 1 :] -= a[i, k] * a[k, k + 1 :]
    return np.sum(a**2)


@program([(M4,)], analytic=True)
def elimination_of_whole_columns_in_place(m):
    a = m.copy()
    for k in range(3):
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= a[k + 1 :, k][:, None] * a[k, k + 1 :]
    return np.sum(a**2)


@program([(V3, V5, 2), (V3, V5, 3)], analytic=True)
def moving_average_of_what_is_left(theta, y, q):
    e = np.zeros(len(y), (y[0] * theta[0]).dtype)
    for t in range(len(y)):
        predicted = 0.0
        for j in range(q):
            if t - j - 1 >= 0:
                predicted += theta[j] * e[t - j - 1] ** 2
        e[t] = y[t] - predicted
    return np.sum(e**2)


@program([(V5, 2)], analytic=True)
def lags_from_a_maximum_on(y, q):
    e = np.zeros(len(y), y.dtype)
    for t in range(len(y)):
        s = y[t]
        for k in range(max(0, t - q), t):
            s = s + y[t] * e[k] ** 2
        e[t] = s
    return np.sum(e**2)


@program([(V5,)], analytic=True)
def the_element_itself_is_read_too(y):
    x = y.copy()
    for i in range(len(y)):
        s = y[i]
        for j in range(i + 1):
            s = s + x[j] ** 2
        x[i] = s
    return np.sum(x)


@program([(V5,)], analytic=True)
def elements_that_are_stored_later(y):
    x = y.copy()
    for i in range(len(y) - 1, -1, -1):
        s = 0.0
        for j in range(i):
            s += x[j] ** 2
        x[i] = s * y[i]
    return np.sum(x**2)


@program([(V5,)], analytic=True)
def elements_above_that_are_stored_later(y):
    x = y.copy()
    n = len(y)
    for i in range(n):
        s = 0.0
        for j in range(i + 1, n):
            s += x[j] ** 2
        x[i] = s * y[i]
    return np.sum(x**2)


@program([(V5,)], analytic=True)
def indices_from_the_end(y):
    x = y.copy()
    for i in range(len(y)):
        s = 0.0
        for j in range(-2, i):
            s += 0.1 * x[j] ** 2
        x[i] = s * y[i]
    return np.sum(x**2)


@program([(V3, V5, 2)], analytic=True)
def lags_that_wrap_around(theta, y, q):
    e = y + 0.0 * theta[0]
    for t in range(len(y)):
        predicted = 0.0
        for j in range(q):
            predicted += theta[j] * e[t - j - 1] ** 2
        e[t] = y[t] - predicted
    return np.sum(e**2)


@program([(V3, V5, 2)], analytic=True)
def a_test_that_is_not_that_of_the_index(theta, y, q):
    e = y + 0.0 * theta[0]
    for t in range(len(y)):
        predicted = 0.0
        for j in range(q):
            if t - j >= 0:
                predicted += 0.3 * theta[j] * e[t - j - 1] ** 2
            if t - j - 1 < 0:
                predicted += 0.1 * e[t - j - 1] ** 3
        e[t] = y[t] - predicted
    return np.sum(e**2)


@program([(V5,)], analytic=True)
def several_times_over(y):
    x = y.copy()
    for _ in range(2):
        for i in range(len(y)):
            s = 0.0
            for j in range(i):
                s += x[j] ** 2
            x[i] = x[i] * 0.5 + s * y[i]
    return np.sum(x**2)


@program([(V5,)], analytic=True)
def counters_of_one_name(y):
    x = y.copy()
    for i in range(2):
        s = x[i] ** 2
        for i in range(3):  # noqa: B020, PLW2901
            s = s + x[i] ** 2
        x[i] = s
    return np.sum(x**2)


@program([(V5,)], analytic=True)
def loops_one_after_the_other(y):
    x = y.copy()
    s = 0.0
    for i in range(len(y)):
        s = s + x[i] ** 3
        x[i] = s
    for i in range(len(y)):
        for j in range(i):
            s = s + x[j] ** 2 * y[i]
    for i in range(len(y)):
        x[i] = x[i] ** 2 * s
    return np.sum(x) + s


@program([(V5, 2)], analytic=True)
def bounds_that_change(y, m):
    x = y.copy()
    for i in range(len(y)):
        s = 0.0
        for j in range(m):
            s = s + x[j] ** 2
        m = min(m + 1, len(y))
        x[i] = s * y[i]
    return np.sum(x**2)


@program([(V5,)], analytic=True)
def steps_of_two(y):
    x = y.copy()
    n = len(y)
    for i in range(0, n - 1, 2):
        s = 0.0
        for j in range(i - 1, -1, -2):
            s = s + x[j] ** 2
        x[i] = s * y[i]
        x[i + 1] = x[i] ** 2 * x[i + 1]
    return np.sum(x**2)


@program([(SYMMETRIC,)], analytic=True)
def windows_that_end_before_the_end(a):
    b = a.copy()
    for j in range(4):
        for i in range(4):
            b[i, j] = np.sum(b[i, : j - 2] ** 2) * 0.1 + a[i, j]
    return np.sum(b**2)


@program([(SYMMETRIC,)], analytic=True)
def windows_that_overlap_what_is_stored(a):
    b = a * 0.1
    for j in range(1, 4):
        for i in range(j, 4):
            b[i, j - 1 :] = 0.2 * b[i, j - 1 :] * b[i, j] + 0.1 * np.sum(b[j, :j] ** 2)
    return np.sum(b)


@program([(V5,)], analytic=True)
def branches_that_tell_indices_apart(y):
    x = y.copy()
    n = len(y)
    for i in range(n):
        for j in range(n):
            if i != j:
                x[i] = x[i] * 0.5 + x[j] ** 2 * 0.1
            else:
                x[j] = x[i] ** 2
    return np.sum(x**2)


@program([(V5,)], analytic=True)
def a_branch_in_which_an_index_changes(y):
    x = y.copy()
    for i in range(len(y)):
        k = i
        if k >= 1:
            k = k - 3
            x[i] = x[k] ** 2 + y[i]
    return np.sum(x**2)


@program([(SYMMETRIC,)], analytic=True)
def shortest_of_sums(a):
    d = a.copy()
    n = len(a)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                d[i, j] = d[i, j] * 0.9 + 0.01 * d[i, k] * d[k, j]
    return np.sum(d)


@program([(V5, 3)], analytic=True)
def differences_of_counters(y, n):
    c = np.zeros(n + 1, y.dtype)
    c[0] = y[0]
    for i in range(1, n + 1):
        s = y[i]
        for k in range(1, i):
            s = s + k * c[i - k] * c[k] / i
        c[i] = s
    return np.sum(c**2)


@program([(V5, 4)], analytic=True)
def differences_that_reach_the_same(y, n):
    c = y.copy()
    for i in range(1, n + 1):
        s = y[i]
        for k in range(i + 1):
            s = s + c[i - k] * c[k] * 0.1
        c[i] = s
    return np.sum(c**2)


@program([(SYMMETRIC, M4[:2, :3])], analytic=True)
def sum_of_windows(image, kernel):
    rows, columns = image.shape
    h, w = kernel.shape
    out = image[: rows - h + 1, : columns - w + 1] * kernel[0, 0]
    for i in range(h):
        for j in range(w):
            out += kernel[i, j] * image[i : i + rows - h + 1, j : j + columns - w + 1] ** 2
    return np.sum(np.tanh(0.01 * out))


@program([(SYMMETRIC, M4)], analytic=True)
def sums_of_parts_that_are_broadcast(image, kernel):
    out = image * kernel
    for i in range(4):
        out += kernel[i, : i + 1].mean() * image[i : i + 1, :]
        out -= image[i : i + 2].sum(axis=0) * kernel[i]
        out *= kernel[i : i + 1] * 0.1
    return np.sum(np.sin(0.1 * out) * image) * 0.1


@program([(V5,)], analytic=True)
def a_view_taken_before_its_slot_changes(y):
    u = y.copy()
    w = y * 2.0
    for i in range(3):
        u[1:] += w[1:] * y[1:]
        w[:-1] = u[:-1] * w[1:]
        u[:3] -= w[2:] * w[:3]
    return np.sum(u * w)


@program([(V5, np.array([1, 0, 2, 1, 3]))], analytic=True)
def a_place_that_is_tested_and_then_changed(y, places):
    x = y.copy()
    p = places.copy()
    for i in range(len(y)):
        if p[i] >= 0:
            p[i] = -1
            x[i] = x[p[i]] ** 2 + y[i]
    return np.sum(x**2)


@program([(V5,)], analytic=True)
def window_that_moves_by_the_counter(x):
    h = x * x
    s = 1.0
    for j in range(3):
        v = np.flip(h[: j + 3])  # v[j] is h[2] in each iteration
        v[j] = x[j] * s
        s = s + np.sin(v[j]) * v[j] ** 2
    return s


@program([(M4, np.arange(1.0, 5.0))], analytic=True)
def rows_of_a_window_that_moves(m, x):
    h = m * x
    s = 1.0
    for j in range(3):
        v = np.swapaxes(h[:, 2 - j :], 0, 1)
        v[j] = x * s
        s = 0.1 * np.sum(np.tanh(v[j]) * v[j])
    return s + np.sum(h)

"""Rows that are stored and wanted again: read back where nothing overwrites them, and where not."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import fixed


def smooth(*shape):
    """Numbers without a pattern, of moderate size."""
    return fixed(np.sin(np.arange(1.0, np.prod(shape) + 1).reshape(shape) * 1.7) * 0.8)


X = smooth(4, 3, 2)  # steps, batch, features
WX, WH, B = smooth(2, 12), smooth(3, 12), smooth(12)
NARROW = smooth(2, 7), smooth(3, 7), smooth(7)
SQUARE = smooth(3, 3)


def squashed(z):
    return 1 / (1 + np.exp(-z))


@program([(X, WX, WH, B), (X, WX * 0.5, WH, B)], analytic=False)
def gates(x, wx, wh, b):
    steps, batch, _ = x.shape
    n = len(wh)
    h = np.zeros((steps + 1, batch, n))
    c = np.zeros((steps + 1, batch, n))
    i, f, o, g = (np.zeros((steps, batch, n)) for _ in range(4))
    for t in range(steps):
        z = x[t] @ wx + h[t] @ wh + b
        i[t] = squashed(z[:, :n])
        f[t] = squashed(z[:, n : 2 * n])
        o[t] = squashed(z[:, 2 * n : n + n + n])
        g[t] = np.tanh(z[:, 3 * n :])
        c[t + 1] = f[t] * c[t] + i[t] * g[t]
        h[t + 1] = o[t] * np.tanh(c[t + 1])
    return np.sum(h[steps] ** 2) + np.sum(i * f)


@program([(X, *NARROW)], analytic=False)
def the_last_gate_is_one_column(x, wx, wh, b):
    steps, batch, _ = x.shape
    n = len(wh)
    h = np.zeros((steps + 1, batch, n))
    g = np.zeros((steps, batch, n))
    for t in range(steps):
        z = x[t] @ wx + h[t] @ wh + b
        g[t] = np.exp(z[:, 2 * n :])
        h[t + 1] = np.tanh(z[:, :n]) * g[t] + z[:, n : 2 * n] ** 2
    return np.sum(h[steps] * g[0])


@program([(X, *NARROW)], analytic=False)
def more_columns_than_the_gates(x, wx, wh, b):
    n = len(wh)
    h = np.zeros((len(x) + 1, x.shape[1], n))
    for t in range(len(x)):
        z = x[t] @ wx + h[t] @ wh + b
        h[t + 1] = np.sin(z[:, n - 1 : 2 * n - 1]) * z[:, 2 : n + 2]
    return np.sum(h**2)


@program([(X[:, :, 0], SQUARE), (X[:, :, 1], SQUARE)], analytic=False)
def overwritten_two_steps_later(x, w):
    kept = np.zeros((2, 3))
    total = 0.0
    for t in range(len(x)):
        e = np.exp(x[t] @ w)
        kept[t % 2] = e
        total = total + np.sum(kept[0] * kept[1] * e)
    return total


@program([(X[:, :, 0], SQUARE)], analytic=False)
def scaled_after_it_was_stored(x, w):
    kept = np.zeros((len(x), 3))
    for t in range(len(x)):
        e = np.exp(x[t] @ w)
        kept[t] = e
        kept[t] *= x[t]
    return np.sum(kept**2)


@program([(X[:, :, 0], SQUARE)], analytic=False)
def scaled_by_a_loop_after(x, w):
    kept = np.zeros((len(x), 3))
    for t in range(len(x)):
        e = np.exp(x[t] @ w)
        kept[t] = e
    for t in range(1, len(x)):
        kept[t] *= kept[t - 1]
    return np.sum(kept**2)


@program([(X[:, :, 0], SQUARE)], analytic=False)
def scaled_through_another_name(x, w):
    kept = np.zeros((len(x), 3))
    tail = kept[1:]
    for t in range(len(x)):
        e = np.exp(x[t] @ w)
        kept[t] = e
        tail[0] += e
    return np.sum(kept**2)


@program([(X[:, :, 0], SQUARE, fixed([2, 0, 1, 2], int))], analytic=False)
def stored_in_an_order(x, w, order):
    kept = np.zeros((len(x), 3))
    for t in range(len(x)):
        e = np.exp(x[t] @ w)
        kept[order[t]] = e
        kept[t] = kept[t] + kept[order[t]] * e
    return np.sum(kept**2)


@program([(X[:, :, 0], SQUARE)], analytic=False)
def stored_in_two_arrays(x, w):
    one, other = np.zeros((len(x), 3)), np.zeros((len(x) + 1, 3))
    for t in range(len(x)):
        e = np.exp(x[t] @ w)
        one[t] = e
        other[t + 1] = e
        other[t] *= 0.5
    return np.sum(one * other[1:] ** 2)


@program([(X[:, :, 0], SQUARE)], analytic=False)
def the_array_is_made_again(x, w):
    total = 0.0
    for _ in range(2):
        kept = np.zeros((len(x), 3))
        for t in range(len(x)):
            e = np.exp(x[t] @ w)
            kept[t] = e
            x = x * 0.9
        total = total + np.sum(kept**2)
    return total


@program([(X[:, :, 0], SQUARE)], analytic=False)
def the_array_gets_another_name(x, w):
    old, new = np.zeros((2, len(x), 3))
    for _ in range(3):
        for t in range(len(x)):
            e = np.exp(x[t] @ w + old[t])
            new[t] = e
        old, new = new, old * 0.5
    return np.sum(old * new)


@program([(X[:, :, 0], SQUARE)], analytic=False)
def rounded_as_it_was_stored(x, w):
    kept = np.zeros((len(x), 3), dtype=int)
    total = 0.0
    for t in range(len(x)):
        e = np.exp(x[t] @ w)
        kept[t] = np.floor(e)
        total = total + np.sum(e**2 * kept[t])
    return total


@program([(smooth(6),), (smooth(8),)], analytic=True)
def halves(s):
    n = len(s) // 2
    for _ in range(3):
        q, p = s[:n], s[n:]
        s = np.concatenate([q + 0.1 * p, p - 0.1 * np.sin(q)])
    return np.sum(s[:n] ** 2 * s[n : 2 * n])


@program([(smooth(8), smooth(2)), (smooth(9), smooth(3))], analytic=False)
def parts_of_one_vector(theta, x):
    n = len(x)
    w, b, rest = theta[:n], theta[n : 2 * n], theta[2 * n :]
    y = np.zeros(3 * n)
    y[:n] = np.tanh(w * x + b)
    y[n : 2 * n] = y[:n] * w
    y[2 * n :] += rest[0] * x
    return np.sum(y**2) + np.sum(rest)


@program([(smooth(3, 4), smooth(4)), (smooth(2, 4), smooth(4))], analytic=False)
def rows_of_what_is_computed_again(m, x):
    sigma, total = np.ones(len(m)), 0.0
    for _ in range(2):
        density = np.zeros((len(m), len(x)))
        for k in range(len(m)):
            density[k] = np.exp(m[k] * x) * sigma[k]
        shares = density / density.sum(axis=0)
        for k in range(len(m)):
            sigma[k] = np.sqrt(shares[k] @ x**2 + 2.0)
        total = total + np.sum(np.sin(shares @ x))
    return total + np.sum(sigma)


@program([(smooth(3, 4), smooth(4)), (smooth(2, 4), smooth(4))], analytic=True)
def rows_of_what_the_sweep_has_anyway(m, x):
    total = 0.0
    for step in range(2):
        square = m * x
        shares = square / (step + 2.0)
        total = total + np.sum(square**3) + np.sum(np.sin(shares @ x))
        for k in range(len(m)):
            total = total * np.cos(shares[k] @ x)
            x = x * 0.9
    return total


@program([(smooth(4), smooth(6))], analytic=False)
def slices_cut_after_a_size_that_grows(x, h):
    h, s = h * 1.0, 0.0
    for k in range(3):
        m, _ = np.outer(x[: k + 1], x).shape
        h[:m] = h[:m] * s + np.sum(x[:m])
        s = s + 0.1 * np.sum(np.sin(h[m:]) * h[m:] ** 2)
    return s


@program([(smooth(4),)], analytic=True)
def a_size_named_after_the_loop_that_changes_it(x):
    s = 0.0
    for k in range(3):
        p = x[: k + 1]
        q = np.concatenate([p, x * 0.5])
        s = s + np.sum(np.cos(q) * np.arange(len(q)))
    m = len(p)
    return s + np.sum(x[:m] ** 2)


@program([(smooth(4, 2, 3), smooth(4, 2, 3))], analytic=True)
def split_by_keywords_in_another_order(x, w):
    a, b = np.split(x, axis=1, indices_or_sections=2)
    return np.sum(np.sin(a * w) * b)


@program([(smooth(5, 3), smooth(5, 3))], analytic=True)
def joined_by_all_elements(a, b):
    n = len(a)
    y = np.concatenate([a, b], axis=None)
    z = np.concatenate([y[n:], y[: 2 * n]])
    return np.sum(y[n : 2 * n] ** 2 * y[:n]) + np.sum(z**3 * np.arange(len(z)))

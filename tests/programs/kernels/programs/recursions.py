"""Recursions on short arrays: polynomials, splines, tables of extrapolation, scans."""

import numpy as np

from tests.language.corpus import program
from tests.programs.kernels.data import fixed, wavy


@program([(wavy(6), 0.7)], analytic=True)
def horner_derivatives(a, x):
    pd = np.zeros(3)
    pd[0] = a[-1]
    for i in range(len(a) - 2, -1, -1):
        for j in range(2, 0, -1):
            pd[j] = pd[j] * x + pd[j - 1]
        pd[0] = pd[0] * x + a[i]
    pd[2] *= 2.0
    return pd


@program([(wavy(6), wavy(4))], analytic=True)
def clenshaw(c, x):
    b1 = np.zeros_like(x)
    b2 = np.zeros_like(x)
    work = np.empty_like(x)
    for k in range(len(c) - 1, 0, -1):
        work[:] = 2.0 * x * b1 - b2 + c[k]
        b2[:] = b1
        b1[:] = work
    return x * b1 - b2 + c[0]


@program([(wavy(5),)], analytic=True)
def chebyshev_vandermonde(x):
    v = np.ones((len(x), 5))
    v[:, 1] = x
    for k in range(2, 5):
        v[:, k] = 2.0 * x * v[:, k - 1] - v[:, k - 2]
    return v


@program([(wavy(4), 0.35)], analytic=True)
def de_casteljau(b, t):
    n = len(b)
    for level in range(1, n):
        b[: n - level] = (1 - t) * b[: n - level] + t * b[1 : n - level + 1]
    return b[0]


@program([(2.3, wavy(7, 2))], analytic=True)
def de_boor(x, control):
    p, k = 3, 4
    knots = np.array([0.0, 0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 4.5, 5.0, 5.0, 5.0])
    d = [control[j + k - p].copy() for j in range(p + 1)]
    for r in range(1, p + 1):
        for j in range(p, r - 1, -1):
            alpha = (x - knots[j + k - p]) / (knots[j + 1 + k - r] - knots[j + k - p])
            d[j] = (1.0 - alpha) * d[j - 1] + alpha * d[j]
    return d[p][0] * d[p][1]


ABSCISSAE = fixed([0.1, 0.5, 1.2, 1.9, 2.6])


@program([(ABSCISSAE, wavy(5), 0.9)], analytic=True)
def neville(xs, p, x):
    n = len(p)
    for m in range(1, n):
        for i in range(n - m):
            p[i] = ((x - xs[i + m]) * p[i] + (xs[i] - x) * p[i + 1]) / (xs[i] - xs[i + m])
    return p[0]


@program([(ABSCISSAE, wavy(5, phase=0.6), 0.9)], analytic=True)
def divided_differences(x, y, at):
    for j in range(1, len(x)):
        for i in range(len(x) - 1, j - 1, -1):
            y[i] = (y[i] - y[i - 1]) / (x[i] - x[i - j])
    value = y[-1]
    for i in range(len(x) - 2, -1, -1):
        value = value * (at - x[i]) + y[i]
    return value


@program([(0.2, 1.4, 0.8)], analytic=True)
def romberg(a, b, omega):
    f = lambda t: np.exp(-t) * np.sin(omega * t)
    n = 4
    r = np.zeros((n, n))
    h = b - a
    r[0, 0] = 0.5 * h * (f(a) + f(b))
    for i in range(1, n):
        h *= 0.5
        total = 0.0
        for k in range(1, 2**i, 2):
            total += f(a + k * h)
        r[i, 0] = 0.5 * r[i - 1, 0] + h * total
        for j in range(1, i + 1):
            r[i, j] = r[i, j - 1] + (r[i, j - 1] - r[i - 1, j - 1]) / (4**j - 1)
    return r[n - 1, n - 1]


@program([(wavy(5),)], analytic=True)
def aitken_in_place(s):
    for level in range(2):
        m = len(s) - 2 * level
        d1 = s[1 : m - 1] - s[: m - 2]
        d2 = s[2:m] - s[1 : m - 1]
        s[: m - 2] -= d1**2 / (d2 - d1)
    return s[0]


@program([(wavy(6),)], analytic=True)
def prefix_sum_in_place(x):
    for i in range(1, len(x)):
        x[i] += x[i - 1]
    return x


@program([(wavy(8),)], analytic=True)
def hillis_steele_scan(x):
    offset = 1
    while offset < len(x):
        shifted = x[:-offset].copy()
        x[offset:] *= 1.0 + 0.1 * shifted
        x[offset:] += shifted
        offset *= 2
    return x


@program([(wavy(8),)], analytic=True)
def blelloch_scan(x):
    n = len(x)
    step = 1
    while step < n:
        x[2 * step - 1 :: 2 * step] += x[step - 1 :: 2 * step]
        step *= 2
    x[-1] = 0.0
    while step > 1:
        half = step // 2
        left = x[half - 1 :: step].copy()
        x[half - 1 :: step] = x[step - 1 :: step]
        x[step - 1 :: step] += left
        step = half
    return x


@program([(wavy(7), 0.3)], analytic=True)
def exponential_moving_average(x, alpha):
    ema = np.empty_like(x)
    ema[0] = x[0]
    for t in range(1, len(x)):
        ema[t] = alpha * x[t] + (1 - alpha) * ema[t - 1]
    x -= ema
    return np.sum(x**2)


@program([(wavy(6), wavy(5))], analytic=True)
def pascal_sieve(row, weights):
    total = 0.0
    while len(row) > 1:
        row[1:] += weights[len(row) - 2] * row[:-1]
        row = row[1:]
        total += row[-1] ** 2
    return total


@program([(wavy(5), wavy(5, low=1.0, high=2.0))], analytic=True)
def spline_second_derivatives(y, h):
    n = len(y)
    y2 = np.zeros(n)
    u = np.zeros(n)
    for i in range(1, n - 1):
        sig = h[i - 1] / (h[i - 1] + h[i])
        p = sig * y2[i - 1] + 2.0
        y2[i] = (sig - 1.0) / p
        u[i] = (y[i + 1] - y[i]) / h[i] - (y[i] - y[i - 1]) / h[i - 1]
        u[i] = (6.0 * u[i] / (h[i - 1] + h[i]) - sig * u[i - 1]) / p
    for k in range(n - 2, -1, -1):
        y2[k] = y2[k] * y2[k + 1] + u[k]
    return y2

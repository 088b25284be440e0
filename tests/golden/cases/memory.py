"""Memory that changes in place."""

import numpy as np

from tests.golden.case import case
from tests.language.data import M32, M33, M34, P4, SPD3, V3, V4, V5, V6, W3, W4


@case(V6, 0.3, 4, wrt=("u0", "r"))
def heat_in_two_buffers(u0, r, steps):
    u = u0.copy()
    w = u0.copy()
    for _ in range(steps):
        w[1:-1] = u[1:-1] + r * (u[2:] - 2 * u[1:-1] + u[:-2])
        u, w = w, u
    return np.sum(u**2)


@case(V6, V6, 4, wrt=("c", "u0"))
def wave_in_two_buffers(c, u0, steps):
    before = u0.copy()
    u = u0.copy()
    for _ in range(steps):
        after = np.zeros_like(u)
        after[1:-1] = 2 * u[1:-1] - before[1:-1] + c[1:-1] * (u[2:] - 2 * u[1:-1] + u[:-2])
        before, u = u, after
    return np.sum(u**2)


@case(V6, 0.3, 4)
def linear_heat(u0, r, steps):
    u = u0.copy()
    for _ in range(steps):
        un = u.copy()
        u[1:-1] = un[1:-1] + r * (un[2:] - 2 * un[1:-1] + un[:-2])
    return np.sum(u)


@case(V6, 0.05, 0.2, 3, wrt=("u0", "nu"))
def burgers_in_place(u0, nu, c, steps):
    u = u0.copy()
    for _ in range(steps):
        un = u.copy()
        u[1:-1] = (
            un[1:-1]
            - c * un[1:-1] * (un[1:-1] - un[:-2])
            + nu * (un[2:] - 2 * un[1:-1] + un[:-2])
        )
    return np.sum(u**2)


def fill(out, x, scale):
    for i in range(len(out)):
        out[i] = scale * x[i] ** 2


@case(V3)
def helper_that_fills(x):
    out = np.empty_like(x)
    fill(out, x, 0.5)
    return np.sum(out * x)


@case(V3)
def work_buffer(x):
    buf = np.zeros(3)
    s = 0.0
    for i in range(3):
        buf[:] = i + 1.0
        s = s + np.sum(x * buf)
    return s


@case(V4, 3)
def work_buffer_filled_anew(x, n):
    buf = np.empty_like(x)
    s = 0.0
    for i in range(n):
        buf[:] = (i + 1.0) * x
        s = s + np.sum(buf * x)
    return s


@case(V3, 3)
def list_of_arrays(x, n):
    states = [x]
    y = x
    for _ in range(n):
        y = y * np.sin(y)
        states.append(y)
    total = 0.0
    for state in states:
        total = total + np.sum(state)
    return total


@case(SPD3, V3, 2, wrt=("a", "b"))
def gauss_seidel(a, b, sweeps):
    n = len(b)
    x = np.zeros(n)
    for _ in range(sweeps):
        for i in range(n):
            x[i] = (b[i] - a[i] @ x + a[i, i] * x[i]) / a[i, i]
    return np.sum(x**2)


@case(SPD3)
def lu_by_rows(m):
    a = m.copy()
    n = a.shape[0]
    for k in range(n):
        pivot = a[k]
        for i in range(k + 1, n):
            row = a[i]
            row[k] /= pivot[k]
            row[k + 1 :] -= row[k] * pivot[k + 1 :]
    total = 0.0
    for k in range(n):
        total = total + np.log(a[k, k])
    return total


@case(V3, W3, True, wrt=("x", "y"))
def alias_on_one_branch(x, y, first):
    u = x * 2.0
    w = y * 3.0
    v = u if first else w
    v[0] = x[1] * y[2]
    return np.sum(u * w)


@case(V4)
def masked_store(x):
    y = x**2
    y[x < 0.0] = 0.0
    return np.sum(y * x)


@case(V4, W4, wrt=("x", "y"))
def ufuncs_into_buffers(x, y):
    work = np.empty_like(x)
    np.multiply(x, y, out=work)
    np.exp(work, out=work)
    np.add(work, x, work)
    return np.sum(work)


@case(V5, np.array([0, 2, 2, 1, 0]))
def histogram(x, bins):
    counts = np.zeros(3)
    np.add.at(counts, bins, x**2)
    return np.sum(counts**2)


@case(V5)
def running_sum(x):
    y = x.copy()
    for i in range(1, len(y)):
        y[i] += y[i - 1]
    return np.sum(y**2)


@case(P4)
def element_recurrence(x):
    y = np.empty_like(x)
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = x[i] * y[i - 1]
    return y[-1]


@case(M33, 0.1, wrt=("a", "h"))
def five_points(a, h):
    b = a.copy()
    b[1:-1, 1:-1] += h * (a[2:, 1:-1] + a[:-2, 1:-1] - 2 * a[1:-1, 1:-1])
    b[0] = b[-1]
    return np.sum(b**2)


@case(V3)
def argument_updated(x):
    x *= 2.0
    x[0] = x[1] * x[2]
    return np.sum(x**2)


@case(V3, transform="vjp")
def restored_pullback(x):
    y = x.copy()
    for _ in range(3):
        y[1:] = y[1:] * y[:-1]
    return y


@case(0.7, 4, wrt="x")
def list_changed_by_index(x, n):
    dp = [0.0] * (n + 1)
    dp[0] = x
    for i in range(1, n + 1):
        dp[i] = dp[i - 1] * x + i
    return dp[n]


@case(V4, "abca", wrt="x")
def dict_filled_by_key(x, labels):
    sums = {}
    for v, label in zip(x, labels):
        sums[label] = sums.get(label, 0.0) + v * v
    return sums["a"] * sums["b"]


@case(SPD3)
def cholesky_by_columns(a):
    n = len(a)
    lower = np.zeros((n, n))
    for j in range(n):
        lower[j, j] = np.sqrt(a[j, j] - np.sum(lower[j, :j] ** 2))
        for i in range(j + 1, n):
            s = a[i, j]
            for k in range(j):
                s -= lower[i, k] * lower[j, k]
            lower[i, j] = s / lower[j, j]
    return np.sum(np.log(np.diag(lower)))


@case(M34, M32, wrt=("image", "kernel"))
def sum_of_windows(image, kernel):
    rows, columns = image.shape
    h, w = kernel.shape
    out = np.zeros((rows - h + 1, columns - w + 1))
    for i in range(h):
        for j in range(w):
            out += kernel[i, j] * image[i : i + rows - h + 1, j : j + columns - w + 1]
    return np.sum(np.tanh(out))


@case(V4)
def leaky(x):
    y = x**2 - 1.0
    y[y < 0.0] *= 0.1
    return np.sum(y * x)

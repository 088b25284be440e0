"""Direct methods of linear algebra, in place."""

import numpy as np

from tests.language.corpus import program
from tests.programs.kernels.data import definite, dominant, wavy


@program(
    [(wavy(5), wavy(5, phase=0.3, low=3.0, high=4.0), wavy(5, phase=0.6), wavy(5))], analytic=True
)
def thomas(a, b, c, d):
    n = len(d)
    cp = np.empty(n)
    dp = np.empty(n)
    cp[0] = c[0] / b[0]
    dp[0] = d[0] / b[0]
    for i in range(1, n):
        m = b[i] - a[i] * cp[i - 1]
        cp[i] = c[i] / m
        dp[i] = (d[i] - a[i] * dp[i - 1]) / m
    x = np.zeros(n)
    x[-1] = dp[-1]
    for i in reversed(range(n - 1)):
        x[i] = dp[i] - cp[i] * x[i + 1]
    return x


@program([(dominant(4),)], analytic=True)
def lu_in_place(a):
    n = a.shape[0]
    for k in range(n - 1):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]
    return a


@program([(dominant(4, 1.0),)], analytic=True)
def lu_outer(a):
    lu = np.array(a)
    for k in range(len(lu) - 1):
        lu[k + 1 :, k] /= lu[k, k]
        lu[k + 1 :, k + 1 :] -= np.outer(lu[k + 1 :, k], lu[k, k + 1 :])
    return np.sum(np.log(np.diag(lu) ** 2))


@program([(wavy(4, 4), wavy(4))], analytic=True)
def lu_partial_pivoting(a, b):
    n = len(b)
    perm = np.arange(n)
    for k in range(n):
        p = k + np.argmax(np.abs(a[k:, k]))
        if p != k:
            a[[k, p]] = a[[p, k]]
            perm[[k, p]] = perm[[p, k]]
        for i in range(k + 1, n):
            a[i, k] = a[i, k] / a[k, k]
            a[i, k + 1 :] -= a[i, k] * a[k, k + 1 :]
    x = b[perm]
    for i in range(n):
        x[i] -= a[i, :i] @ x[:i]
    for i in range(n - 1, -1, -1):
        x[i] = (x[i] - a[i, i + 1 :] @ x[i + 1 :]) / a[i, i]
    return x


@program([(wavy(3, 3, phase=0.5), wavy(3))], analytic=True)
def gaussian_elimination(a, b):
    n = len(b)
    m = np.zeros((n, n + 1))
    m[:, :n] = a
    m[:, n] = b
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if abs(m[i, k]) > abs(m[p, k]):
                p = i
        row = m[k].copy()
        m[k] = m[p]
        m[p] = row
        m[k] /= m[k, k]
        for i in range(n):
            if i != k:
                m[i] -= m[i, k] * m[k]
    return m[:, n]


@program([(dominant(3, 0.4),)], analytic=True)
def gauss_jordan_inverse(a):
    n = len(a)
    inverse = np.eye(n)
    for k in range(n):
        pivot = a[k, k]
        a[k] /= pivot
        inverse[k] /= pivot
        for i in range(n):
            if i == k:
                continue
            factor = a[i, k]
            a[i] -= factor * a[k]
            inverse[i] -= factor * inverse[k]
    return inverse


@program([(definite(4),)], analytic=True)
def cholesky_banachiewicz(a):
    n = len(a)
    c = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            s = a[i, j]
            for k in range(j):
                s -= c[i, k] * c[j, k]
            if i == j:
                c[i, j] = np.sqrt(s)
            else:
                c[i, j] = s / c[j, j]
    return c


@program([(definite(4, 0.7), wavy(4))], analytic=True)
def cholesky_in_place(a, y):
    n = len(a)
    for k in range(n):
        a[k, k] = np.sqrt(a[k, k])
        a[k + 1 :, k] /= a[k, k]
        for j in range(k + 1, n):
            a[j:, j] -= a[j:, k] * a[j, k]
    for i in range(n):
        y[i] = (y[i] - np.dot(a[i, :i], y[:i])) / a[i, i]
    return 0.5 * np.sum(y**2) + np.sum(np.log(np.diag(a)))


@program([(dominant(4), wavy(4))], analytic=True)
def forward_substitution(a, b):
    x = np.zeros_like(b)
    for i in range(len(b)):
        s = b[i]
        for j in range(i):
            s -= a[i, j] * x[j]
        x[i] = s / a[i, i]
    return x


@program([(dominant(4), wavy(4, 2))], analytic=True)
def back_substitution(a, b):
    for i in range(len(b))[::-1]:
        b[i] /= a[i, i]
        b[:i] -= np.outer(a[:i, i], b[i])
    return b


@program([(dominant(4, 0.2),)], analytic=True)
def gram_schmidt_classical(a):
    q = np.zeros_like(a)
    for j in range(a.shape[1]):
        v = a[:, j].copy()
        for k in range(j):
            v -= np.dot(q[:, k], a[:, j]) * q[:, k]
        q[:, j] = v / np.sqrt(np.sum(v * v))
    return q


@program([(dominant(4, 0.9)[:, :3],)], analytic=True)
def gram_schmidt_modified(v):
    n = v.shape[1]
    r = np.zeros((n, n))
    for j in range(n):
        vj = v[:, j]
        r[j, j] = np.linalg.norm(vj)
        vj /= r[j, j]
        for k in range(j + 1, n):
            r[j, k] = vj @ v[:, k]
            v[:, k] -= r[j, k] * vj
    return v, r


@program([(dominant(4, 0.1)[:, :3],)], analytic=True)
def qr_givens(a):
    m, n = a.shape
    q = np.eye(m)
    for j in range(n):
        for i in range(m - 1, j, -1):
            r = np.sqrt(a[i - 1, j] ** 2 + a[i, j] ** 2)
            c, s = a[i - 1, j] / r, -a[i, j] / r
            g = np.array([[c, -s], [s, c]])
            a[i - 1 : i + 1, j:] = g @ a[i - 1 : i + 1, j:]
            q[:, i - 1 : i + 1] = q[:, i - 1 : i + 1] @ g.T
    return q, a


@program([(dominant(4, 0.6)[:, :3], wavy(4))], analytic=True)
def qr_householder(a, b):
    m, n = a.shape
    for k in range(n):
        v = a[k:, k].copy()
        v[0] += np.sign(v[0]) * np.linalg.norm(v)
        v /= np.linalg.norm(v)
        a[k:, k:] -= 2.0 * np.outer(v, v @ a[k:, k:])
        b[k:] -= 2.0 * v * (v @ b[k:])
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - a[i, i + 1 :] @ x[i + 1 :]) / a[i, i]
    return x


@program([(wavy(5, low=-0.3, high=0.3),)], analytic=True)
def durbin(r):
    n = len(r)
    y = np.zeros(n)
    y[0] = -r[0]
    alpha = -r[0]
    beta = 1.0
    for k in range(1, n):
        beta *= 1.0 - alpha * alpha
        alpha = -(r[k] + np.dot(r[:k][::-1], y[:k])) / beta
        y[:k] += alpha * y[:k][::-1]
        y[k] = alpha
    return y


@program([(wavy(5, low=-0.3, high=0.3, phase=0.4), wavy(5))], analytic=True)
def levinson(r, b):
    n = len(b)
    f = np.zeros(n)
    x = np.zeros(n)
    work = np.zeros(n)
    t = np.concatenate((np.ones(1), r[:-1]))
    f[0] = 1.0 / t[0]
    x[0] = b[0] / t[0]
    for k in range(1, n):
        error = sum(t[k - i] * f[i] for i in range(k))
        scale = 1.0 / (1.0 - error**2)
        work[: k + 1] = f[k::-1]
        f[: k + 1] *= scale
        f[: k + 1] -= scale * error * work[: k + 1]
        deficit = b[k] - np.sum(t[k:0:-1] * x[:k])
        x[: k + 1] += deficit * f[k::-1]
    return x

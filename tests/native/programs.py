"""Programs of loops, stencils and eliminations, for both backends."""

import math

import numpy as np


def rosenbrock(x):
    s = 0.0
    for i in range(len(x) - 1):
        s += 100.0 * (x[i + 1] - x[i] ** 2) ** 2 + (1.0 - x[i]) ** 2
    return s


def logistic(x, r, n):
    for i in range(n):
        if x > 0.5:
            x = r * x * (1.0 - x)
        else:
            x = r * x * (1.0 - x) + 0.01 * math.sin(x)
    return x


def newton(a):
    x = a
    while abs(x * x - a) > 1e-12:
        x = 0.5 * (x + a / x)
    return x


def lorenz(s, rho, b, n, dt):
    x, y, z = 1.0, 1.0, 1.0

    def rhs(x, y, z):
        return s * (y - x), x * (rho - z) - y, x * y - b * z

    for _ in range(n):
        k1x, k1y, k1z = rhs(x, y, z)
        k2x, k2y, k2z = rhs(x + 0.5 * dt * k1x, y + 0.5 * dt * k1y, z + 0.5 * dt * k1z)
        k3x, k3y, k3z = rhs(x + 0.5 * dt * k2x, y + 0.5 * dt * k2y, z + 0.5 * dt * k2z)
        k4x, k4y, k4z = rhs(x + dt * k3x, y + dt * k3y, z + dt * k3z)
        x = x + dt / 6.0 * (k1x + 2.0 * k2x + 2.0 * k3x + k4x)
        y = y + dt / 6.0 * (k1y + 2.0 * k2y + 2.0 * k3y + k4y)
        z = z + dt / 6.0 * (k1z + 2.0 * k2z + 2.0 * k3z + k4z)
    return x + y + z


def nbody(pos, vel, mass, n, dt):
    p = pos.copy()
    v = vel.copy()
    m = len(mass)
    for _ in range(n):
        for i in range(m):
            for j in range(m):
                if i != j:
                    dx = p[j, 0] - p[i, 0]
                    dy = p[j, 1] - p[i, 1]
                    dz = p[j, 2] - p[i, 2]
                    d2 = dx * dx + dy * dy + dz * dz + 0.01
                    f = mass[j] / (d2 * math.sqrt(d2))
                    v[i, 0] += dt * f * dx
                    v[i, 1] += dt * f * dy
                    v[i, 2] += dt * f * dz
        for i in range(m):
            for k in range(3):
                p[i, k] += dt * v[i, k]
    e = 0.0
    for i in range(m):
        e += p[i, 0] * v[i, 0] + p[i, 1] * v[i, 1] + p[i, 2] * v[i, 2]
    return e


def burgers_elements(u0, nu, dt, dx, n):
    u = u0.copy()
    w = u0.copy()
    for _ in range(n):
        for i in range(1, len(u) - 1):
            w[i] = (
                u[i]
                - dt / dx * u[i] * (u[i] - u[i - 1])
                + nu * dt / dx**2 * (u[i + 1] - 2.0 * u[i] + u[i - 1])
            )
        for i in range(1, len(u) - 1):
            u[i] = w[i]
    s = 0.0
    for i in range(len(u)):
        s += u[i] ** 2
    return s


def burgers_slices(u0, nu, dt, dx, n):
    u = u0.copy()
    for _ in range(n):
        u[1:-1] = (
            u[1:-1]
            - dt / dx * u[1:-1] * (u[1:-1] - u[:-2])
            + nu * dt / dx**2 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        )
    return np.sum(u**2)


def heat(u, k, n):
    for _ in range(n):
        lap = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4.0 * u[1:-1, 1:-1]
        u[1:-1, 1:-1] += k * lap
    return np.sum(u * u)


def thomas(a, b, c, d):
    n = len(d)
    cp = np.zeros(n)
    dp = np.zeros(n)
    x = np.zeros(n)
    cp[0] = c[0] / b[0]
    dp[0] = d[0] / b[0]
    for i in range(1, n):
        m = b[i] - a[i] * cp[i - 1]
        cp[i] = c[i] / m
        dp[i] = (d[i] - a[i] * dp[i - 1]) / m
    x[n - 1] = dp[n - 1]
    for i in range(n - 2, -1, -1):
        x[i] = dp[i] - cp[i] * x[i + 1]
    return np.sum(x**2)


def lu(a):
    a = a.copy()
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] = a[i, k] / a[k, k]
            for j in range(k + 1, n):
                a[i, j] = a[i, j] - a[i, k] * a[k, j]
    s = 0.0
    for k in range(n):
        s += math.log(abs(a[k, k]))
    return s


def cholesky(a):
    n = a.shape[0]
    l = np.zeros((n, n))
    for j in range(n):
        s = a[j, j]
        for k in range(j):
            s = s - l[j, k] ** 2
        l[j, j] = math.sqrt(s)
        for i in range(j + 1, n):
            t = a[i, j]
            for k in range(j):
                t = t - l[i, k] * l[j, k]
            l[i, j] = t / l[j, j]
    s = 0.0
    for j in range(n):
        s += math.log(l[j, j])
    return s


NOISE = np.random.default_rng(0)
SQUARE = NOISE.normal(size=(5, 5))
DEFINITE = SQUARE @ SQUARE.T + 5 * np.eye(5)
WAVE = np.sin(np.linspace(0, 6, 20))
DIAGONALS = tuple(NOISE.normal(size=6) + shift for shift in (0, 5, 0, 0))
BODIES = (NOISE.normal(size=(3, 3)), NOISE.normal(size=(3, 3)), np.array([1.0, 2.0, 0.5]))

CASES = [
    (rosenbrock, (np.linspace(-1, 1, 10),), (0,)),
    (logistic, (0.3, 3.7, 20), (0, 1)),
    (newton, (2.0,), (0,)),
    (lorenz, (10.0, 28.0, 8 / 3, 10, 0.01), (0, 1, 2)),
    (nbody, (*BODIES, 5, 0.01), (0, 1, 2)),
    (burgers_elements, (WAVE, 0.01, 0.01, 0.1, 5), (0, 1)),
    (burgers_slices, (WAVE, 0.01, 0.01, 0.1, 5), (0, 1)),
    (heat, (NOISE.normal(size=(6, 7)), 0.1, 4), (0, 1)),
    (thomas, DIAGONALS, (0, 1, 2, 3)),
    (lu, (DEFINITE,), (0,)),
    (cholesky, (DEFINITE,), (0,)),
]
"""Function, arguments, with respect to what."""

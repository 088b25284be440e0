"""Ordinary differential equations with buffers for stages and for the past."""

import numpy as np

from tests.language.corpus import program
from tests.programs.kernels.data import wavy


def lotka_volterra_rates(y, p, out):
    out[0] = p[0] * y[0] - p[1] * y[0] * y[1]
    out[1] = p[2] * y[0] * y[1] - p[3] * y[1]


@program([(wavy(2, low=0.5, high=2.0), wavy(4, low=0.3, high=1.2))], analytic=True)
def runge_kutta_stage_buffers(y, p):
    h = 0.1
    k = np.empty((4, 2))
    work = np.empty(2)
    for step in range(3):
        lotka_volterra_rates(y, p, k[0])
        np.multiply(k[0], 0.5 * h, out=work)
        work += y
        lotka_volterra_rates(work, p, k[1])
        np.multiply(k[1], 0.5 * h, out=work)
        np.add(work, y, out=work)
        lotka_volterra_rates(work, p, k[2])
        np.multiply(k[2], h, out=work)
        work += y
        lotka_volterra_rates(work, p, k[3])
        k[1:3] *= 2.0
        y += h / 6.0 * k.sum(axis=0)
    return y


@program([(1.2, 0.7, wavy(4, low=0.3, high=1.2))], analytic=True)
def lotka_volterra_trajectory(prey, predator, p):
    n = 5
    x = np.zeros(n)
    y = np.zeros(n)
    x[0], y[0] = prey, predator
    for i in range(n - 1):
        x[i + 1] = x[i] + 0.1 * x[i] * (p[0] - p[1] * y[i])
        y[i + 1] = y[i] + 0.1 * y[i] * (p[2] * x[i + 1] - p[3])
    return np.sum((x - y) ** 2) + x[-1] * y[-1]


@program([(wavy(3), 0.9, 1.4)], analytic=True)
def adams_bashforth_ring(y, a, b):
    h = 0.1
    history = [np.zeros(3) for _ in range(3)]
    for step in range(6):
        f = history[step % 3]
        f[:] = -a * y + np.sin(b * y[::-1])
        if step < 2:
            y += h * f
        else:
            f1, f2 = history[(step - 1) % 3], history[(step - 2) % 3]
            y += h / 12.0 * (23.0 * f - 16.0 * f1 + 5.0 * f2)
    return y


@program([(wavy(3), 0.9)], analytic=True)
def adams_bashforth_rotation(y, a):
    f0, f1 = np.zeros_like(y), np.zeros_like(y)
    np.copyto(f1, np.cos(a * y))
    y += 0.1 * f1
    for step in range(4):
        np.copyto(f0, np.cos(a * y))
        y += 0.05 * (3.0 * f0 - f1)
        f0, f1 = f1, f0
    return y


@program([(wavy(4), wavy(4, low=0.3, high=0.8), 0.7)], analytic=True)
def fitzhugh_nagumo(v, current, coupling):
    w = np.zeros_like(v)
    dv = np.empty_like(v)
    for step in range(4):
        dv[:] = v - v**3 / 3.0 - w + current
        dv[1:] += coupling * (v[:-1] - v[1:])
        dv[:-1] += coupling * (v[1:] - v[:-1])
        w += 0.1 * 0.08 * (v + 0.7 - 0.8 * w)
        v += 0.1 * dv
    return v, w


@program([(wavy(5, low=5.0, high=12.0), 120.0, 36.0, 0.3)], analytic=True)
def hodgkin_huxley(current, g_na, g_k, g_l):
    dt = 0.02
    steps = len(current)
    v = np.zeros(steps + 1)
    gates = np.array([0.05, 0.6, 0.32])
    v[0] = -63.0
    for t in range(steps):
        m, h, n = gates
        u = v[t] + 65.0
        alpha = np.array(
            [
                0.1 * (25 - u) / (np.exp((25 - u) / 10) - 1),
                0.07 * np.exp(-u / 20),
                0.01 * (10 - u) / (np.exp((10 - u) / 10) - 1),
            ]
        )
        beta = np.array(
            [4 * np.exp(-u / 18), 1 / (np.exp((30 - u) / 10) + 1), 0.125 * np.exp(-u / 80)]
        )
        ionic = g_na * m**3 * h * (v[t] - 50) + g_k * n**4 * (v[t] + 77) + g_l * (v[t] + 54.4)
        v[t + 1] = v[t] + dt * (current[t] - ionic)
        gates += dt * (alpha * (1 - gates) - beta * gates)
    return v[1:] * 0.1


@program([(wavy(4, 4), 0.6, 0.2)], analytic=True)
def ising_mean_field(m, beta, field):
    for sweep in range(2):
        for i in range(4):
            for j in range(4):
                around = m[(i + 1) % 4, j] + m[i - 1, j] + m[i, (j + 1) % 4] + m[i, j - 1]
                m[i, j] = np.tanh(beta * around + field)
    return m


@program([(wavy(6), 0.3)], analytic=True)
def kuramoto(theta, coupling):
    omega = np.linspace(-0.5, 0.5, len(theta))
    rate = np.empty_like(theta)
    for step in range(3):
        rate[:] = omega
        for i in range(len(theta)):
            for j in range(len(theta)):
                if i != j:
                    rate[i] += coupling / len(theta) * np.sin(theta[j] - theta[i])
        theta += 0.2 * rate
    return np.sum(np.cos(theta)) ** 2 + np.sum(np.sin(theta)) ** 2


@program([(wavy(3, low=0.8, high=1.2), 0.9)], analytic=True)
def velocity_verlet_with_history(x, k):
    history = []
    v = np.zeros_like(x)
    for step in range(4):
        v -= 0.05 * k * x**3
        x += 0.1 * v
        v -= 0.05 * k * x**3
        history.append(x.copy())
    history[0] *= 3.0
    return sum([np.sum(h**2) for h in history])


@program([(wavy(4, low=0.1, high=0.4), wavy(4, 4, low=0.0, high=0.5), 0.3)], analytic=True)
def epidemic_network(infected, contact, recovery):
    susceptible = np.ones(4)
    susceptible -= infected
    removed = np.zeros_like(infected)
    for day in range(3):
        pressure = contact @ infected
        new = susceptible * (1 - np.exp(-pressure))
        healed = recovery * infected
        susceptible -= new
        infected += new
        infected -= healed
        removed += healed
    return susceptible, infected, removed

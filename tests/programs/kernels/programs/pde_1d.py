"""Finite differences in one dimension."""

import numpy as np

from tests.language.corpus import program
from tests.programs.kernels.data import wavy


@program([(wavy(7), 0.3)], analytic=True)
def jacobi_1d(f, dx):
    u = np.zeros(len(f))
    un = np.zeros(len(f))
    for _ in range(6):
        un[1:-1] = 0.5 * (u[2:] + u[:-2] - dx**2 * f[1:-1])
        u, un = un, u
    return u


@program([(wavy(7), wavy(7, phase=1.0), 0.3)], analytic=True)
def gauss_seidel_1d(u, f, dx):
    n = len(u)
    for sweep in range(3):
        for i in range(1, n - 1):
            u[i] = 0.5 * (u[i - 1] + u[i + 1] - dx * dx * f[i])
    return u


@program([(wavy(8), wavy(8, phase=0.4), 0.4, 1.5)], analytic=True)
def sor_1d(u, f, dx, omega):
    for sweep in range(2):
        for start in (1, 2):
            u[start:-1:2] *= 1.0 - omega
            u[start:-1:2] += 0.5 * omega * (u[start - 1 : -2 : 2] - dx**2 * f[start:-1:2])
            u[start:-1:2] += 0.5 * omega * u[start + 1 :: 2]
    return np.sum(u**2)


@program([(wavy(7), 0.21, 0.4, -0.3)], analytic=True)
def heat_explicit(u, r, left, right):
    for step in range(4):
        u[0] = left
        u[-1] = right
        u[1:-1] += r * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return u


def thomas_in_place(a, b, c, d):
    """Solve a tridiagonal system; the solution is left in d, and b is destroyed."""
    n = len(d)
    for i in range(1, n):
        w = a[i] / b[i - 1]
        b[i] -= w * c[i - 1]
        d[i] -= w * d[i - 1]
    d[n - 1] /= b[n - 1]
    for i in range(n - 2, -1, -1):
        d[i] = (d[i] - c[i] * d[i + 1]) / b[i]


@program([(wavy(6), 0.4)], analytic=True)
def heat_crank_nicolson(u, r):
    n = len(u)
    lower = np.zeros(n)
    main = np.zeros(n)
    upper = np.zeros(n)
    rhs = np.empty(n)
    for step in range(2):
        lower.fill(-0.5 * r)
        upper.fill(-0.5 * r)
        main.fill(1.0 + r)
        rhs[:] = (1.0 - r) * u
        rhs[1:] += 0.5 * r * u[:-1]
        rhs[:-1] += 0.5 * r * u[1:]
        thomas_in_place(lower, main, upper, rhs)
        u[:] = rhs
    return u


@program([(wavy(8), wavy(8, phase=2.0), 0.7)], analytic=True)
def wave_leapfrog(u, velocity, c):
    previous = u.copy()
    current = u + 0.1 * velocity
    new = np.zeros_like(u)
    for step in range(5):
        new[1:-1] = 2 * current[1:-1] - previous[1:-1]
        new[1:-1] += c**2 * (current[2:] - 2 * current[1:-1] + current[:-2])
        new[0] = 0.0
        new[-1] = new[-2]
        previous, current, new = current, new, previous
    return current


@program([(wavy(7, low=0.4, high=1.6), 0.1, 0.3)], analytic=True)
def burgers_upwind(u, dt, dx):
    n = len(u)
    for step in range(4):
        un = u.copy()
        for i in range(1, n):
            u[i] = un[i] - un[i] * dt / dx * (un[i] - un[i - 1])
        u[0] = u[-1]
    return np.sum(u**3)


@program([(wavy(7, low=0.4, high=1.6), 0.07, 0.3, 0.1)], analytic=True)
def burgers_viscous(u, nu, dx, dt):
    un = np.ones_like(u)
    for n in range(3):
        un[:] = u[:]
        for i in range(1, len(u) - 1):
            u[i] = (
                un[i]
                - un[i] * dt / dx * (un[i] - un[i - 1])
                + nu * dt / dx**2 * (un[i + 1] - 2 * un[i] + un[i - 1])
            )
        u[0] = un[0] - un[0] * dt / dx * (un[0] - un[-2])
        u[-1] = u[0]
    return u


@program([(wavy(8), 0.3)], analytic=True)
def burgers_lax_friedrichs(u, ratio):
    flux = np.empty_like(u)
    mean = np.empty_like(u[1:-1])
    for step in range(4):
        np.multiply(u, u, out=flux)
        flux *= 0.5
        np.add(u[2:], u[:-2], out=mean)
        mean *= 0.5
        u[1:-1] = mean - 0.5 * ratio * (flux[2:] - flux[:-2])
        u[0], u[-1] = u[-2], u[1]
    return u


def minmod(a, b):
    return np.where(a * b > 0.0, np.where(np.abs(a) < np.abs(b), a, b), 0.0)


@program([(wavy(9), 0.4)], analytic=True)
def advection_minmod(q, courant):
    slope = np.zeros_like(q)
    flux = np.zeros(len(q) + 1)
    for step in range(3):
        slope[1:-1] = minmod(q[1:-1] - q[:-2], q[2:] - q[1:-1])
        flux[1:] = q + 0.5 * (1.0 - courant) * slope
        flux[0] = flux[-1]
        q -= courant * (flux[1:] - flux[:-1])
    return q


@program([(wavy(9, phase=0.7), 0.35)], analytic=True)
def advection_van_leer(q, courant):
    phi = np.empty(len(q) - 2)
    for step in range(2):
        down = q[2:] - q[1:-1]
        up = q[1:-1] - q[:-2]
        phi[:] = 0.0
        same = up * down > 0
        r = up[same] / down[same]
        phi[same] = 2.0 * r / (1.0 + r)
        edge = q[1:-1] + 0.5 * phi * (1 - courant) * down
        q[2:-1] -= courant * np.diff(edge)
    return np.sum(q * np.linspace(0.3, 1.9, len(q)))


@program([(wavy(8), wavy(8, low=1.0, high=3.0), 0.5)], analytic=True)
def fdtd_1d(source, permittivity, courant):
    n = len(permittivity)
    ez = np.zeros(n)
    hy = np.zeros(n - 1)
    energy = 0.0
    for t in range(len(source)):
        hy += courant * (ez[1:] - ez[:-1])
        ez[1:-1] += courant / permittivity[1:-1] * (hy[1:] - hy[:-1])
        ez[2] += source[t]
        ez[0] = ez[1]
        energy += np.sum(permittivity * ez**2)
    return energy


@program([(wavy(8, low=0.8, high=1.2), wavy(8, low=-0.3, high=0.3), 0.05, 0.2)], analytic=True)
def shallow_water_1d(h, hu, dt, dx):
    g = 9.81
    state = np.array([h, hu])
    flux = np.empty_like(state)
    for step in range(3):
        depth, momentum = state
        flux[0] = momentum
        flux[1] = momentum**2 / depth + 0.5 * g * depth**2
        inner = 0.5 * (state[:, 2:] + state[:, :-2]) - dt / (2 * dx) * (flux[:, 2:] - flux[:, :-2])
        state[:, 1:-1] = inner
        state[:, 0] = state[:, 1]
        state[:, -1] = state[:, -2]
        state[1, 0] *= -1.0
        state[1, -1] *= -1.0
    return state


@program([(wavy(6), wavy(6, phase=0.9), 0.3, 0.6)], analytic=True)
def maccormack(u, speed, dt, dx):
    predicted = u.copy()
    for step in range(3):
        predicted[:-1] = u[:-1] - speed[:-1] * dt / dx * (u[1:] - u[:-1])
        u[1:] = 0.5 * (u[1:] + predicted[1:] - speed[1:] * dt / dx * np.diff(predicted))
    return u

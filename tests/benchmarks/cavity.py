"""Flow in a cavity below a moving lid, in the style of "12 steps to Navier-Stokes".

Helpers store into the arrays that they are given; walls are stores to rows and columns. autograd
and JAX refuse item assignment: there every store has to become a `concatenate` or an `at[].set`.
"""

from __future__ import annotations

import numpy as np

from tests.benchmarks.cavity_tuned import energy_tuned
from tests.benchmarks.workload import Workload


def build_up_b(b, rho, dt, u, v, dx, dy):
    b[1:-1, 1:-1] = rho * (
        1 / dt * ((u[1:-1, 2:] - u[1:-1, :-2]) / (2 * dx) + (v[2:, 1:-1] - v[:-2, 1:-1]) / (2 * dy))
        - ((u[1:-1, 2:] - u[1:-1, :-2]) / (2 * dx)) ** 2
        - 2 * ((u[2:, 1:-1] - u[:-2, 1:-1]) / (2 * dy) * (v[1:-1, 2:] - v[1:-1, :-2]) / (2 * dx))
        - ((v[2:, 1:-1] - v[:-2, 1:-1]) / (2 * dy)) ** 2
    )
    return b


def pressure_poisson(p, dx, dy, b, iterations):
    for _ in range(iterations):
        pn = p.copy()
        p[1:-1, 1:-1] = (
            (pn[1:-1, 2:] + pn[1:-1, :-2]) * dy**2 + (pn[2:, 1:-1] + pn[:-2, 1:-1]) * dx**2
        ) / (2 * (dx**2 + dy**2)) - dx**2 * dy**2 / (2 * (dx**2 + dy**2)) * b[1:-1, 1:-1]
        p[:, -1] = p[:, -2]
        p[0, :] = p[1, :]
        p[:, 0] = p[:, 1]
        p[-1, :] = 0
    return p


def energy(lid, nu, p0, rho, dt, dx, dy, steps, iterations):
    p = p0.copy()
    u = np.zeros(p0.shape)
    v = np.zeros(p0.shape)
    b = np.zeros(p0.shape)
    for _ in range(steps):
        un = u.copy()
        vn = v.copy()
        b = build_up_b(b, rho, dt, u, v, dx, dy)
        p = pressure_poisson(p, dx, dy, b, iterations)
        u[1:-1, 1:-1] = (
            un[1:-1, 1:-1]
            - un[1:-1, 1:-1] * dt / dx * (un[1:-1, 1:-1] - un[1:-1, :-2])
            - vn[1:-1, 1:-1] * dt / dy * (un[1:-1, 1:-1] - un[:-2, 1:-1])
            - dt / (2 * rho * dx) * (p[1:-1, 2:] - p[1:-1, :-2])
            + nu
            * (
                dt / dx**2 * (un[1:-1, 2:] - 2 * un[1:-1, 1:-1] + un[1:-1, :-2])
                + dt / dy**2 * (un[2:, 1:-1] - 2 * un[1:-1, 1:-1] + un[:-2, 1:-1])
            )
        )
        v[1:-1, 1:-1] = (
            vn[1:-1, 1:-1]
            - un[1:-1, 1:-1] * dt / dx * (vn[1:-1, 1:-1] - vn[1:-1, :-2])
            - vn[1:-1, 1:-1] * dt / dy * (vn[1:-1, 1:-1] - vn[:-2, 1:-1])
            - dt / (2 * rho * dy) * (p[2:, 1:-1] - p[:-2, 1:-1])
            + nu
            * (
                dt / dx**2 * (vn[1:-1, 2:] - 2 * vn[1:-1, 1:-1] + vn[1:-1, :-2])
                + dt / dy**2 * (vn[2:, 1:-1] - 2 * vn[1:-1, 1:-1] + vn[:-2, 1:-1])
            )
        )
        u[0, :] = 0
        u[:, 0] = 0
        u[:, -1] = 0
        u[-1, :] = lid
        v[0, :] = 0
        v[-1, :] = 0
        v[:, 0] = 0
        v[:, -1] = 0
    return np.sum(u**2 + v**2)


def energy_by_hand(lid, nu, p0, rho, dt, dx, dy, steps, iterations):
    """Statement by statement; the velocities are recorded, pressure enters linearly."""
    p = p0.copy()
    u = np.zeros(p0.shape)
    v = np.zeros(p0.shape)
    b = np.zeros(p0.shape)
    states = np.empty((steps, 2, *p0.shape))
    for k in range(steps):
        un, vn = states[k]
        un[:] = u
        vn[:] = v
        b = build_up_b(b, rho, dt, u, v, dx, dy)
        p = pressure_poisson(p, dx, dy, b, iterations)
        velocities(u, v, un, vn, p, lid, nu, rho, dt, dx, dy)

    u_bar = 2.0 * u
    v_bar = 2.0 * v
    p_bar = np.zeros_like(p)
    b_bar = np.zeros_like(p)
    lid_bar = nu_bar = 0.0
    for k in range(steps - 1, -1, -1):
        un, vn = states[k]
        for w_bar in (u_bar, v_bar):
            if w_bar is u_bar:
                lid_bar += np.sum(u_bar[-1, :])
            w_bar[0, :] = w_bar[-1, :] = w_bar[:, 0] = w_bar[:, -1] = 0
        # u[1:-1, 1:-1] = ..., v[1:-1, 1:-1] = ...
        un_bar = np.zeros_like(u_bar)
        vn_bar = np.zeros_like(v_bar)
        un_inside, vn_inside = un[1:-1, 1:-1], vn[1:-1, 1:-1]
        a, c = dt / dx * un_inside, dt / dy * vn_inside
        for w, w_bar, wn_bar in ((un, u_bar, un_bar), (vn, v_bar, vn_bar)):
            new_bar = w_bar[1:-1, 1:-1]
            inside, inside_bar = w[1:-1, 1:-1], wn_bar[1:-1, 1:-1]
            inside_bar += new_bar
            un_bar[1:-1, 1:-1] -= dt / dx * new_bar * (inside - w[1:-1, :-2])
            vn_bar[1:-1, 1:-1] -= dt / dy * new_bar * (inside - w[:-2, 1:-1])
            advected = new_bar * a
            inside_bar -= advected
            wn_bar[1:-1, :-2] += advected
            advected = new_bar * c
            inside_bar -= advected
            wn_bar[:-2, 1:-1] += advected
            nu_bar += np.vdot(
                new_bar,
                dt / dx**2 * (w[1:-1, 2:] - 2 * inside + w[1:-1, :-2])
                + dt / dy**2 * (w[2:, 1:-1] - 2 * inside + w[:-2, 1:-1]),
            )
            diffused = nu * dt / dx**2 * new_bar
            wn_bar[1:-1, 2:] += diffused
            wn_bar[1:-1, :-2] += diffused
            inside_bar -= 2 * diffused
            diffused = nu * dt / dy**2 * new_bar
            wn_bar[2:, 1:-1] += diffused
            wn_bar[:-2, 1:-1] += diffused
            inside_bar -= 2 * diffused
        pushed = dt / (2 * rho * dx) * u_bar[1:-1, 1:-1]
        p_bar[1:-1, 2:] -= pushed
        p_bar[1:-1, :-2] += pushed
        pushed = dt / (2 * rho * dy) * v_bar[1:-1, 1:-1]
        p_bar[2:, 1:-1] -= pushed
        p_bar[:-2, 1:-1] += pushed
        pressure_poisson_adjoint(p_bar, dx, dy, b_bar, iterations)
        u_bar, v_bar = un_bar, vn_bar
        build_up_b_adjoint(b_bar, rho, dt, un, vn, u_bar, v_bar, dx, dy)
    return lid_bar, nu_bar, p_bar


def velocities(u, v, un, vn, p, lid, nu, rho, dt, dx, dy):
    """The statements of `energy` that set the velocities."""
    u[1:-1, 1:-1] = (
        un[1:-1, 1:-1]
        - un[1:-1, 1:-1] * dt / dx * (un[1:-1, 1:-1] - un[1:-1, :-2])
        - vn[1:-1, 1:-1] * dt / dy * (un[1:-1, 1:-1] - un[:-2, 1:-1])
        - dt / (2 * rho * dx) * (p[1:-1, 2:] - p[1:-1, :-2])
        + nu
        * (
            dt / dx**2 * (un[1:-1, 2:] - 2 * un[1:-1, 1:-1] + un[1:-1, :-2])
            + dt / dy**2 * (un[2:, 1:-1] - 2 * un[1:-1, 1:-1] + un[:-2, 1:-1])
        )
    )
    v[1:-1, 1:-1] = (
        vn[1:-1, 1:-1]
        - un[1:-1, 1:-1] * dt / dx * (vn[1:-1, 1:-1] - vn[1:-1, :-2])
        - vn[1:-1, 1:-1] * dt / dy * (vn[1:-1, 1:-1] - vn[:-2, 1:-1])
        - dt / (2 * rho * dy) * (p[2:, 1:-1] - p[:-2, 1:-1])
        + nu
        * (
            dt / dx**2 * (vn[1:-1, 2:] - 2 * vn[1:-1, 1:-1] + vn[1:-1, :-2])
            + dt / dy**2 * (vn[2:, 1:-1] - 2 * vn[1:-1, 1:-1] + vn[:-2, 1:-1])
        )
    )
    u[0, :] = u[:, 0] = u[:, -1] = 0
    u[-1, :] = lid
    v[0, :] = v[-1, :] = v[:, 0] = v[:, -1] = 0


def pressure_poisson_adjoint(p_bar, dx, dy, b_bar, iterations):
    """`p_bar` goes back through the iterations; `b_bar` gets what is due to b."""
    scale = 2 * (dx**2 + dy**2)
    wx, wy, wb = dy**2 / scale, dx**2 / scale, dx**2 * dy**2 / scale
    for _ in range(iterations):
        p_bar[-1, :] = 0
        p_bar[:, 1] += p_bar[:, 0]
        p_bar[:, 0] = 0
        p_bar[1, :] += p_bar[0, :]
        p_bar[0, :] = 0
        p_bar[:, -2] += p_bar[:, -1]
        p_bar[:, -1] = 0
        new_bar = p_bar[1:-1, 1:-1].copy()
        p_bar[1:-1, 1:-1] = 0
        b_bar[1:-1, 1:-1] -= wb * new_bar
        weighted = wx * new_bar
        p_bar[1:-1, 2:] += weighted
        p_bar[1:-1, :-2] += weighted
        new_bar *= wy
        p_bar[2:, 1:-1] += new_bar
        p_bar[:-2, 1:-1] += new_bar


def build_up_b_adjoint(b_bar, rho, dt, u, v, u_bar, v_bar, dx, dy):
    """Adds to `u_bar` and `v_bar`; `b_bar` is zero inside afterwards."""
    ux, uy = (u[1:-1, 2:] - u[1:-1, :-2]) / (2 * dx), (u[2:, 1:-1] - u[:-2, 1:-1]) / (2 * dy)
    vx, vy = (v[1:-1, 2:] - v[1:-1, :-2]) / (2 * dx), (v[2:, 1:-1] - v[:-2, 1:-1]) / (2 * dy)
    new_bar = rho * b_bar[1:-1, 1:-1]
    b_bar[1:-1, 1:-1] = 0
    slope = new_bar * (1 / dt - 2 * ux) / (2 * dx)
    u_bar[1:-1, 2:] += slope
    u_bar[1:-1, :-2] -= slope
    slope = new_bar * (1 / dt - 2 * vy) / (2 * dy)
    v_bar[2:, 1:-1] += slope
    v_bar[:-2, 1:-1] -= slope
    new_bar *= 2.0
    slope = new_bar * vx / (2 * dy)
    u_bar[2:, 1:-1] -= slope
    u_bar[:-2, 1:-1] += slope
    slope = new_bar * uy / (2 * dx)
    v_bar[1:-1, 2:] -= slope
    v_bar[1:-1, :-2] += slope


def workloads(small=False):
    ny, nx, steps, iterations = (6, 7, 3, 3) if small else (41, 41, 50, 20)
    rng = np.random.default_rng(0)
    dx, dy, dt = 2 / (nx - 1), 2 / (ny - 1), 0.1 if small else 1e-3
    p0 = 0.1 * rng.standard_normal((ny, nx))
    arguments = (1.0, 0.1, p0, 1.0, dt, dx, dy, steps, iterations)
    name = f"cavity flow in place, {ny} x {nx}, {steps} steps"
    wrt = ("lid", "nu", "p0")
    hands = energy_by_hand, arguments, energy_tuned
    return [Workload(name, energy, wrt, *hands, refused=True)]

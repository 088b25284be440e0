"""Burgers' equation in one dimension, stepped in place: upwind advection, central diffusion.

The old state is overwritten by slices, as in "12 steps to Navier-Stokes". autograd and JAX refuse
item assignment: there a step has to build a new array with `concatenate`.
"""

from __future__ import annotations

import numpy as np

from tests.benchmarks.workload import Workload


def distance(u0, nu, target, dx, dt, steps):
    u = u0.copy()
    for _ in range(steps):
        un = u.copy()
        u[1:-1] = (
            un[1:-1]
            - un[1:-1] * dt / dx * (un[1:-1] - un[:-2])
            + nu * dt / dx**2 * (un[2:] - 2 * un[1:-1] + un[:-2])
        )
    return np.sum((u - target) ** 2)


def distance_by_hand(u0, nu, target, dx, dt, steps):
    """Statement by statement; the states are recorded, what is linear in them is computed again."""
    u = u0.copy()
    states = np.empty((steps, len(u0)))
    for k in range(steps):
        un = states[k]
        un[:] = u
        u[1:-1] = (
            un[1:-1]
            - un[1:-1] * dt / dx * (un[1:-1] - un[:-2])
            + nu * dt / dx**2 * (un[2:] - 2 * un[1:-1] + un[:-2])
        )

    a = dt / dx
    m = nu * dt / dx**2
    u_bar = 2.0 * (u - target)
    m_bar = 0.0
    for k in range(steps - 1, -1, -1):
        un = states[k]
        new_bar = u_bar[1:-1].copy()
        m_bar += np.dot(new_bar, un[2:] - 2 * un[1:-1] + un[:-2])
        diffused_bar = m * new_bar
        u_bar[2:] += diffused_bar
        u_bar[1:-1] -= 2 * diffused_bar
        u_bar[:-2] += diffused_bar
        new_bar *= a
        u_bar[1:-1] -= new_bar * (un[1:-1] - un[:-2])
        new_bar *= un[1:-1]
        u_bar[1:-1] -= new_bar
        u_bar[:-2] += new_bar
    return u_bar, m_bar * dt / dx**2


def distance_tuned(u0, nu, target, dx, dt, steps):
    """Another arithmetic in both sweeps, all in buffers, with which the value differs by rounding.

    The states are the rows of one array: nothing is copied to record them.

    With a difference d[i] = u[i + 1] - u[i] per gap, the centre of a step is
    u[i] - (a u[i] + m) d[i - 1] + m d[i]; the adjoint of the differences goes back to the states
    like that of any difference. The derivative by nu is summed as the product of two differences.
    """
    n = len(u0)
    a = dt / dx
    m = nu * dt / dx**2
    states = np.empty((steps + 1, n))
    d = np.empty(n - 1)
    weight = np.empty(n - 2)

    states[0] = u0
    states[1:, 0] = u0[0]
    states[1:, -1] = u0[-1]
    for k in range(steps):
        u = states[k]
        centre = u[1:-1]
        new = states[k + 1, 1:-1]
        np.subtract(u[1:], u[:-1], out=d)
        np.multiply(centre, a, out=weight)
        weight += m
        weight *= d[:-1]
        np.multiply(d[1:], m, out=new)
        new -= weight
        new += centre

    u_bar = np.subtract(states[steps], target)
    u_bar *= 2.0
    m_bar = 0.0
    inner, right, left = u_bar[1:-1], u_bar[1:], u_bar[:-1]
    step_bar = np.zeros(n)  # the adjoint of what a step adds; nothing is added at the ends
    inner_step = step_bar[1:-1]
    d_bar = np.empty(n - 1)
    for k in range(steps - 1, -1, -1):
        u = states[k]
        np.subtract(u[1:], u[:-1], out=d)
        inner_step[:] = inner
        np.subtract(step_bar[:-1], step_bar[1:], out=d_bar)
        m_bar += np.dot(d_bar, d)
        d_bar *= m
        inner_step *= a
        np.multiply(inner_step, u[1:-1], out=weight)
        d_bar[:-1] -= weight
        inner_step *= d[:-1]
        inner -= inner_step
        right += d_bar
        left -= d_bar
    return u_bar, m_bar * dt / dx**2


def workloads(small=False):
    n, steps = (12, 8) if small else (1000, 1000)
    x = np.linspace(0.0, 2 * np.pi, n)
    dx = x[1] - x[0]
    dt = 0.15 * dx
    arguments = (1.5 + np.sin(x), 0.5 * dx, 1.0 + np.cos(x) / 2, dx, dt, steps)
    name = f"Burgers in place, {n} points, {steps} steps"
    return [
        Workload(
            name, distance, ("u0", "nu"), distance_by_hand, arguments, distance_tuned, refused=True,
            number=4,
        )
    ]

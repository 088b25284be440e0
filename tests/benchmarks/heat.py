"""Heat in two dimensions by Jacobi steps between two buffers that are swapped.

Linear: the reverse sweep needs no value of the forward sweep, so nothing is recorded. autograd and
JAX refuse item assignment: there a step has to pad its result or use `at[].set`.
"""

from __future__ import annotations

import numpy as np

from tests.benchmarks.workload import Workload


def distance(u0, target, r, steps):
    u = u0.copy()
    w = u0.copy()
    for _ in range(steps):
        w[1:-1, 1:-1] = u[1:-1, 1:-1] + r * (
            u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]
        )
        u, w = w, u
    return np.sum((u - target) ** 2)


def distance_by_hand(u0, target, r, steps):
    """Statement by statement; one temporary for the scaled adjoint of a step."""
    u = u0.copy()
    w = u0.copy()
    for _ in range(steps):
        w[1:-1, 1:-1] = u[1:-1, 1:-1] + r * (
            u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]
        )
        u, w = w, u

    u_bar = 2.0 * (u - target)
    w_bar = np.zeros_like(w)
    for _ in range(steps):
        u_bar, w_bar = w_bar, u_bar
        new_bar = w_bar[1:-1, 1:-1]
        scaled = r * new_bar
        u_bar[2:, 1:-1] += scaled
        u_bar[:-2, 1:-1] += scaled
        u_bar[1:-1, 2:] += scaled
        u_bar[1:-1, :-2] += scaled
        new_bar *= 1 - 4 * r
        u_bar[1:-1, 1:-1] += new_bar
        new_bar[:] = 0.0
    u_bar += w_bar
    return u_bar


def distance_tuned(u0, target, r, steps):
    """Another arithmetic in both sweeps, all in buffers, with which the value differs by rounding.

    The step is symmetric inside: the same stencil runs on the adjoint, zero at the border.

    What leaves the inside is collected per side, and added to the border at the end.
    """
    u = u0.copy()
    w = u0.copy()
    near = np.empty((u.shape[0] - 2, u.shape[1] - 2))
    for _ in range(steps):
        step(u, w, near, r)
        u, w = w, u

    border = u
    border -= target
    border *= 2.0
    u_bar = np.zeros_like(border)
    u_bar[1:-1, 1:-1] = border[1:-1, 1:-1]
    w_bar = np.zeros_like(border)
    top, bottom = np.zeros((2, near.shape[1]))
    left, right = np.zeros((2, near.shape[0]))
    for _ in range(steps):
        top += u_bar[1, 1:-1]
        bottom += u_bar[-2, 1:-1]
        left += u_bar[1:-1, 1]
        right += u_bar[1:-1, -2]
        step(u_bar, w_bar, near, r)
        u_bar, w_bar = w_bar, u_bar
    border[0, 1:-1] += r * top
    border[-1, 1:-1] += r * bottom
    border[1:-1, 0] += r * left
    border[1:-1, -1] += r * right
    border[1:-1, 1:-1] = u_bar[1:-1, 1:-1]
    return border


def step(u, w, near, r):
    """One step from u to the inside of w; `near` holds the sum of the neighbours."""
    np.add(u[2:, 1:-1], u[:-2, 1:-1], out=near)
    near += u[1:-1, 2:]
    near += u[1:-1, :-2]
    near *= r
    inside = w[1:-1, 1:-1]
    np.multiply(u[1:-1, 1:-1], 1.0 - 4.0 * r, out=inside)
    inside += near


def workloads(small=False):
    shape, steps = ((7, 6), 5) if small else ((200, 200), 100)
    rng = np.random.default_rng(0)
    arguments = (rng.standard_normal(shape), rng.standard_normal(shape), 0.2, steps)
    name = f"heat in two buffers, {shape[0]} x {shape[1]}, {steps} steps"
    return [
        Workload(name, distance, "u0", distance_by_hand, arguments, distance_tuned, refused=True)
    ]

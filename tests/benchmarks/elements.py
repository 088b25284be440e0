"""Loops over numbers and elements of arrays, as the native backend is measured on, in Python."""

from __future__ import annotations

import math

import numpy as np

from tests.benchmarks.bundle import arguments, bundle, bundle_by_hand
from tests.benchmarks.workload import Workload
from tests.native.programs import burgers_elements, logistic, nbody, rosenbrock


def rosenbrock_by_hand(x):
    """No term needs another one: a single loop does."""
    x_bar = np.zeros_like(x)
    for i in range(len(x) - 1):
        x_i = x[i]
        slope = 200.0 * (x[i + 1] - x_i**2)
        x_bar[i] -= 2.0 * (1.0 - x_i) + slope * (2.0 * x_i)
        x_bar[i + 1] += slope
    return x_bar


def logistic_by_hand(x, r, n):
    """The number on the tape tells which branch it was."""
    tape = []
    push = tape.append
    for _ in range(n):
        push(x)
        if x > 0.5:
            x = r * x * (1.0 - x)
        else:
            x = r * x * (1.0 - x) + 0.01 * math.sin(x)

    x_bar = 1.0
    r_bar = 0.0
    for x in reversed(tape):
        product_bar = x_bar * (1.0 - x)
        r_bar += product_bar * x
        if x > 0.5:
            x_bar = product_bar * r - x_bar * (r * x)
        else:
            x_bar = product_bar * r - x_bar * (r * x) + x_bar * (0.01 * math.cos(x))
    return x_bar, r_bar


def nbody_by_hand(pos, vel, mass, n, dt):
    """What happens to all elements alike is done for all at once; forces go pair by pair."""
    tape = []
    push = tape.append
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
                    root = math.sqrt(d2)
                    f = mass[j] / (d2 * root)
                    v[i, 0] += dt * f * dx
                    v[i, 1] += dt * f * dy
                    v[i, 2] += dt * f * dz
                    push((dx, dy, dz, d2, root, f))
        for i in range(m):
            for k in range(3):
                p[i, k] += dt * v[i, k]

    p_bar = v.copy()
    v_bar = p.copy()
    mass_bar = np.zeros_like(mass)
    pop = tape.pop
    for _ in range(n):
        v_bar += p_bar * dt
        for i in range(m - 1, -1, -1):
            x_bar, y_bar, z_bar = v_bar[i] * dt
            for j in range(m - 1, -1, -1):
                if i != j:
                    dx, dy, dz, d2, root, f = pop()
                    scaled = (x_bar * dx + y_bar * dy + z_bar * dz) / (d2 * root)
                    mass_bar[j] += scaled
                    twice = -3.0 * scaled * f * root
                    dx_bar = x_bar * f + twice * dx
                    dy_bar = y_bar * f + twice * dy
                    dz_bar = z_bar * f + twice * dz
                    p_bar[i, 0] -= dx_bar
                    p_bar[i, 1] -= dy_bar
                    p_bar[i, 2] -= dz_bar
                    p_bar[j, 0] += dx_bar
                    p_bar[j, 1] += dy_bar
                    p_bar[j, 2] += dz_bar
    return p_bar, v_bar, mass_bar


def burgers_elements_by_hand(u0, nu, dt, dx, n):
    """What does not change in a loop is computed before it."""
    tape = []
    push = tape.append
    u = u0.copy()
    w = u0.copy()
    slope = dt / dx
    curvature = nu * dt / dx**2
    for _ in range(n):
        for i in range(1, len(u) - 1):
            u_i = u[i]
            before = u[i - 1]
            product = slope * u_i
            difference = u_i - before
            second = u[i + 1] - 2.0 * u_i + before
            w[i] = u_i - product * difference + curvature * second
            push((product, difference, second))
        for i in range(1, len(u) - 1):
            u[i] = w[i]

    u_bar = 2.0 * u
    w_bar = np.zeros_like(w)
    curvature_bar = 0.0
    pop = tape.pop
    for _ in range(n):
        for i in range(len(u) - 2, 0, -1):
            w_bar[i] += u_bar[i]
            u_bar[i] = 0.0
        for i in range(len(u) - 2, 0, -1):
            product, difference, second = pop()
            bar = w_bar[i]
            w_bar[i] = 0.0
            curvature_bar += bar * second
            second_bar = bar * curvature
            difference_bar = bar * product
            u_bar[i + 1] += second_bar
            u_bar[i] += bar - difference_bar - 2.0 * second_bar - bar * difference * slope
            u_bar[i - 1] += difference_bar + second_bar
    return w_bar + u_bar, curvature_bar * dt / dx**2


def workloads(small=False):
    rng = np.random.default_rng(0)
    cells, many, turns, rows = (10, 20, 4, 3) if small else (1000, 100_000, 1000, 100)
    bodies = rng.normal(size=(5, 3)), rng.normal(size=(5, 3)), rng.uniform(0.5, 1.0, size=5)
    wave = np.sin(np.linspace(0.0, 6.0, cells))
    burgers = (wave, 0.01, 1e-4, 0.01, rows)
    count = 3 if small else 1000
    return [
        Workload(
            f"Rosenbrock by elements, {cells}", rosenbrock, "x", rosenbrock_by_hand,
            (rng.normal(size=cells),), number=1,
        ),
        Workload(
            f"logistic map, {many} steps", logistic, ("x", "r"), logistic_by_hand,
            (0.3, 3.0, many), refused=True, number=2,
        ),
        Workload(
            f"N-body by elements, {turns} steps", nbody, ("pos", "vel", "mass"), nbody_by_hand,
            (*bodies, turns, 1e-3), refused=True, number=3,
        ),
        Workload(
            f"Burgers by elements, {cells} points, {rows} steps", burgers_elements, ("u0", "nu"),
            burgers_elements_by_hand, burgers, refused=True, number=4,
        ),
        Workload(
            f"bundle adjustment, {count} observations", bundle,
            ("cameras", "points", "weights"), bundle_by_hand, arguments(count), refused=True,
            number=8,
        ),
    ]  # fmt: skip

"""The Lorenz system by the classical Runge-Kutta method, in plain numbers."""

from __future__ import annotations

from tests.benchmarks.workload import Workload


def velocity(x, y, z, sigma, rho, beta):
    return sigma * (y - x), x * (rho - z) - y, x * y - beta * z


def step(x, y, z, sigma, rho, beta, h):
    a1, b1, c1 = velocity(x, y, z, sigma, rho, beta)
    a2, b2, c2 = velocity(x + h / 2 * a1, y + h / 2 * b1, z + h / 2 * c1, sigma, rho, beta)
    a3, b3, c3 = velocity(x + h / 2 * a2, y + h / 2 * b2, z + h / 2 * c2, sigma, rho, beta)
    a4, b4, c4 = velocity(x + h * a3, y + h * b3, z + h * c3, sigma, rho, beta)
    x = x + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
    y = y + h / 6 * (b1 + 2 * b2 + 2 * b3 + b4)
    z = z + h / 6 * (c1 + 2 * c2 + 2 * c3 + c4)
    return x, y, z


def final(x, y, z, sigma, rho, beta, h, steps):
    for _ in range(steps):
        x, y, z = step(x, y, z, sigma, rho, beta, h)
    return x + y + z


def final_by_hand(x, y, z, sigma, rho, beta, h, steps):
    """Written out, one tuple per step: the four points at which the velocity was taken."""
    tape = []
    push = tape.append
    half, sixth, third = h / 2, h / 6, h / 3
    for _ in range(steps):
        a1 = sigma * (y - x)
        b1 = x * (rho - z) - y
        c1 = x * y - beta * z
        x2, y2, z2 = x + half * a1, y + half * b1, z + half * c1
        a2 = sigma * (y2 - x2)
        b2 = x2 * (rho - z2) - y2
        c2 = x2 * y2 - beta * z2
        x3, y3, z3 = x + half * a2, y + half * b2, z + half * c2
        a3 = sigma * (y3 - x3)
        b3 = x3 * (rho - z3) - y3
        c3 = x3 * y3 - beta * z3
        x4, y4, z4 = x + h * a3, y + h * b3, z + h * c3
        push((x, y, z, x2, y2, z2, x3, y3, z3, x4, y4, z4))
        x = x + sixth * (a1 + 2 * a2 + 2 * a3 + sigma * (y4 - x4))
        y = y + sixth * (b1 + 2 * b2 + 2 * b3 + x4 * (rho - z4) - y4)
        z = z + sixth * (c1 + 2 * c2 + 2 * c3 + x4 * y4 - beta * z4)

    x_bar = y_bar = z_bar = 1.0
    sigma_bar = rho_bar = beta_bar = 0.0
    for x, y, z, x2, y2, z2, x3, y3, z3, x4, y4, z4 in reversed(tape):
        a, b, c = sixth * x_bar, sixth * y_bar, sixth * z_bar
        sigma_bar += (y4 - x4) * a
        rho_bar += x4 * b
        beta_bar -= z4 * c
        u4 = (rho - z4) * b + y4 * c - sigma * a
        v4 = sigma * a - b + x4 * c
        w4 = -x4 * b - beta * c
        a, b, c = third * x_bar + h * u4, third * y_bar + h * v4, third * z_bar + h * w4
        sigma_bar += (y3 - x3) * a
        rho_bar += x3 * b
        beta_bar -= z3 * c
        u3 = (rho - z3) * b + y3 * c - sigma * a
        v3 = sigma * a - b + x3 * c
        w3 = -x3 * b - beta * c
        a, b, c = third * x_bar + half * u3, third * y_bar + half * v3, third * z_bar + half * w3
        sigma_bar += (y2 - x2) * a
        rho_bar += x2 * b
        beta_bar -= z2 * c
        u2 = (rho - z2) * b + y2 * c - sigma * a
        v2 = sigma * a - b + x2 * c
        w2 = -x2 * b - beta * c
        a, b, c = sixth * x_bar + half * u2, sixth * y_bar + half * v2, sixth * z_bar + half * w2
        sigma_bar += (y - x) * a
        rho_bar += x * b
        beta_bar -= z * c
        x_bar += u4 + u3 + u2 + (rho - z) * b + y * c - sigma * a
        y_bar += v4 + v3 + v2 + sigma * a - b + x * c
        z_bar += w4 + w3 + w2 - x * b - beta * c
    return x_bar, y_bar, z_bar, sigma_bar, rho_bar, beta_bar


def workloads(small=False):
    steps = 10 if small else 10_000
    arguments = (1.0, 1.0, 20.0, 10.0, 28.0, 8 / 3, 1e-3, steps)
    wrt = ("x", "y", "z", "sigma", "rho", "beta")
    name = f"Lorenz, Runge-Kutta, {steps} steps"
    return [Workload(name, final, wrt, final_by_hand, arguments, tolerance=1e-7, number=3)]

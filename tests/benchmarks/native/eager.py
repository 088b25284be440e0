"""The same programs in PyTorch: eager, where the graph is made anew in each call, and compiled.

`torch.compile` unrolls loops, so that of a loop each step is compiled, and PyTorch's graph of the
steps is made in each call.
"""

from __future__ import annotations

import functools

import numpy as np

from tests.benchmarks.peers import compiling
from tests.native import programs


def gradients(compiled=False):
    """By the name of the primal: the gradient; empty where PyTorch is not installed."""
    try:
        import torch
    except ImportError:
        return {}
    torch.set_num_threads(1)
    piece = compiling() if compiled else lambda f: f

    @piece
    def rosenbrock(x):
        return torch.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)

    @piece
    def chosen(x, r):
        y = r * x * (1.0 - x)
        return torch.where(x > 0.5, y, y + 0.01 * torch.sin(x))

    def branched(x, r):
        y = r * x * (1.0 - x)
        return y if x > 0.5 else y + 0.01 * torch.sin(x)

    def logistic(x, r, n):
        step = chosen if compiled else branched
        for _ in range(n):
            x = step(x, r)
        return x

    @piece
    def newton(x, a):
        going = torch.abs(x * x - a) > 1e-12 * a
        return torch.where(going, 0.5 * (x + a / x), x), torch.any(going)

    def roots(a):
        x, going = newton(a, a)
        while going:
            x, going = newton(x, a)
        return torch.sum(x)

    @piece
    def runge_kutta(p, s, rho, b, dt):
        def rhs(x, y, z):
            return s * (y - x), x * (rho - z) - y, x * y - b * z

        k1 = rhs(*p)
        k2 = rhs(*(a + 0.5 * dt * k for a, k in zip(p, k1)))
        k3 = rhs(*(a + 0.5 * dt * k for a, k in zip(p, k2)))
        k4 = rhs(*(a + dt * k for a, k in zip(p, k3)))
        slopes = zip(p, k1, k2, k3, k4)
        return tuple(q + dt / 6.0 * (a + 2.0 * b_ + 2.0 * c + d) for q, a, b_, c, d in slopes)

    def lorenz(s, rho, b, n, dt):
        p = (torch.tensor(1.0, dtype=torch.float64),) * 3
        for _ in range(n):
            p = runge_kutta(p, s, rho, b, dt)
        return p[0] + p[1] + p[2]

    @piece
    def attracted(p, v, mass, dt):
        d = p[None] - p[:, None]
        d2 = torch.sum(d * d, dim=2) + 0.01
        v = v + dt * torch.sum((mass / (d2 * torch.sqrt(d2)))[:, :, None] * d, dim=1)
        return p + dt * v, v

    def nbody(pos, vel, mass, n, dt):
        p, v = pos, vel
        for _ in range(n):
            p, v = attracted(p, v, mass, dt)
        return torch.sum(p * v)

    @piece
    def moved(u, nu, dt, dx):
        inner = (
            u[1:-1]
            - dt / dx * u[1:-1] * (u[1:-1] - u[:-2])
            + nu * dt / dx**2 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        )
        return torch.cat([u[:1], inner, u[-1:]])

    def burgers(u, nu, dt, dx, n):
        for _ in range(n):
            u = moved(u, nu, dt, dx)
        return torch.sum(u**2)

    def made(function, wrt):
        def gradient(*args):
            given = list(args)
            for k in wrt:
                given[k] = torch.tensor(args[k], dtype=torch.float64, requires_grad=True)
            for k, value in enumerate(given):
                if isinstance(value, np.ndarray):
                    given[k] = torch.from_numpy(value)
            return torch.autograd.grad(function(*given), [given[k] for k in wrt])

        return gradient

    forms = {
        "rosenbrock": rosenbrock,
        "logistic": logistic,
        "roots": roots,
        "lorenz": lorenz,
        "nbody": nbody,
        "burgers_elements": burgers,
        "burgers_slices": burgers,
    }
    return {name: functools.partial(made, f) for name, f in forms.items()}


def by_elements():
    """W1 and W4 as the primals have them: title, primal, gradient, `wrt`, arguments.

    Above they are in whole arrays, which is what PyTorch is made for. A graph of all steps of W4
    would not fit in memory: here are ten.
    """
    try:
        import torch
    except ImportError:
        return []

    def rosenbrock(x):
        total = 0.0
        for i in range(len(x) - 1):
            total = total + 100.0 * (x[i + 1] - x[i] ** 2) ** 2 + (1.0 - x[i]) ** 2
        return total

    def burgers(u, nu, dt, dx, n):
        u = list(u)
        for _ in range(n):
            w = list(u)
            for i in range(1, len(u) - 1):
                w[i] = (
                    u[i]
                    - dt / dx * u[i] * (u[i] - u[i - 1])
                    + nu * dt / dx**2 * (u[i + 1] - 2.0 * u[i] + u[i - 1])
                )
            u = w
        return sum(v**2 for v in u)

    def made(function, wrt):
        def gradient(*args):
            given = [
                torch.tensor(a, dtype=torch.float64, requires_grad=True) if k in wrt else a
                for k, a in enumerate(args)
            ]
            return torch.autograd.grad(function(*given), [given[k] for k in wrt])

        return gradient

    x = np.random.default_rng(0).normal(size=1000)
    wave = np.sin(np.linspace(0.0, 6.0, 1000))
    return [
        ("W1 Rosenbrock", programs.rosenbrock, made(rosenbrock, (0,)), (0,), (x,)),
        (
            "W4 Burgers, loops, 10 steps", programs.burgers_elements, made(burgers, (0, 1)),
            (0, 1), (wave, 0.01, 1e-4, 0.01, 10),
        ),
    ]  # fmt: skip

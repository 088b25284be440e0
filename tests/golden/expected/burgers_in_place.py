# Derivative of burgers_in_place (memory.py:39), written by autodiff.

import numpy as np
from autodiff.runtime import Tape


def burgers_in_place_grad(u0, nu, c, steps):
    """Gradient of burgers_in_place (memory.py:39) with respect to u0, nu."""
    tape = Tape()

    # Forward sweep
    u = u0.copy()
    for _ in range(steps):
        un = u.copy()
        total = un[2:] - 2 * un[1:-1] + un[:-2]
        tape.push((un, total))
        u[1:-1] = un[1:-1] - c * un[1:-1] * (un[1:-1] - un[:-2]) + nu * total

    # Reverse sweep
    # return np.sum(u**2)
    u_bar = 2 * u
    nu_bar = 0.0
    for un, total in reversed(tape):
        # u[1:-1] = (un[1:-1] - c * un[1:-1] * (un[1:-1] - un[:-2]) + nu * (un[2:] - 2 * un[1:-1] +
        #     un[:-2]))
        total_bar = u_bar[1:-1].copy()
        total_2_bar = total_bar * nu
        u_bar[:-2] += total_2_bar
        u_bar[1:-1] -= total_2_bar * 2
        u_bar[2:] += total_2_bar
        difference_bar = total_bar * (c * un[1:-1])
        u_bar[:-2] += difference_bar
        u_bar[1:-1] -= difference_bar
        u_bar[1:-1] -= total_bar * (un[1:-1] - un[:-2]) * c
        nu_bar += np.vdot(total_bar, total)
    return u_bar, nu_bar

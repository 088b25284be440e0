# Derivative of heat_in_two_buffers (memory.py:9), written by autodiff.

import numpy as np
from autodiff.runtime import Tape


def heat_in_two_buffers_grad(u0, r, steps):
    """Gradient of heat_in_two_buffers (memory.py:9) with respect to u0, r."""
    tape = Tape()

    # Forward sweep
    u = u0.copy()
    w = u0.copy()
    for _ in range(steps):
        total = u[2:] - 2 * u[1:-1] + u[:-2]
        tape.push(total)
        w[1:-1] = u[1:-1] + r * total
        w, u = u, w

    # Reverse sweep
    # return np.sum(u**2)
    u_bar = 2 * u
    w_bar = np.zeros_like(u0)
    r_bar = 0.0
    for total in reversed(tape):
        w_bar, u_bar = u_bar, w_bar
        # w[1:-1] = u[1:-1] + r * (u[2:] - 2 * u[1:-1] + u[:-2])
        u_bar[1:-1] += w_bar[1:-1]
        total_bar = w_bar[1:-1] * r
        r_bar += np.vdot(w_bar[1:-1], total)
        w_bar[1:-1] = 0.0
        u_bar[:-2] += total_bar
        u_bar[2:] += total_bar
        u_bar[1:-1] -= total_bar * 2
    return w_bar + u_bar, r_bar

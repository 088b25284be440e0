# Derivative of wave_in_two_buffers (memory.py:19), written by autodiff.

import numpy as np
from autodiff.runtime import Tape


def wave_in_two_buffers_grad(c, u0, steps):
    """Gradient of wave_in_two_buffers (memory.py:19) with respect to c, u0."""
    tape = Tape()

    # Forward sweep
    before = u0.copy()
    u = u0.copy()
    for _ in range(steps):
        after = np.zeros_like(u)
        total = u[2:] - 2 * u[1:-1] + u[:-2]
        tape.push(total)
        after[1:-1] = 2 * u[1:-1] - before[1:-1] + c[1:-1] * total
        before = u
        u = after

    # Reverse sweep
    # return np.sum(u**2)
    u_bar = 2 * u
    c_bar = np.zeros_like(c)
    before_bar = np.zeros_like(c)
    for total in reversed(tape):
        before_2_bar = np.zeros_like(c)
        # after[1:-1] = 2 * u[1:-1] - before[1:-1] + c[1:-1] * (u[2:] - 2 * u[1:-1] + u[:-2])
        total_bar = u_bar[1:-1] * c[1:-1]
        before_bar[:-2] += total_bar
        before_bar[2:] += total_bar
        before_bar[1:-1] -= total_bar * 2
        c_bar[1:-1] += u_bar[1:-1] * total
        before_2_bar[1:-1] -= u_bar[1:-1]
        before_bar[1:-1] += u_bar[1:-1] * 2
        u_bar = before_bar
        before_bar = before_2_bar
    return c_bar, u_bar + before_bar

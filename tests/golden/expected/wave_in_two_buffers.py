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
        c_value = c[1:-1]
        total = u[2:] - 2 * u[1:-1] + u[:-2]
        after[1:-1] = 2 * u[1:-1] - before[1:-1] + c_value * total
        before = u
        u = after
        tape.push(total)

    # Reverse sweep
    # return np.sum(u**2)
    u_bar = 2 * u
    before_bar = np.zeros_like(c)
    c_bar = np.zeros_like(c)
    for total in reversed(tape):
        # after[1:-1] = 2 * u[1:-1] - before[1:-1] + c[1:-1] * (u[2:] - 2 * u[1:-1] + u[:-2])
        total_2_bar = u_bar[1:-1]
        total_bar = total_2_bar * c_value
        u_bar = before_bar
        u_bar[:-2] += total_bar
        u_bar[1:-1] -= total_bar * 2
        u_bar[2:] += total_bar
        c_bar[1:-1] += total_2_bar * total
        before_bar = np.zeros_like(c)
        before_bar[1:-1] -= total_2_bar
        u_bar[1:-1] += total_2_bar * 2
    return c_bar, u_bar + before_bar

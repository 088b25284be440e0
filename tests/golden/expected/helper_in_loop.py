# Derivative of helper_in_loop (calls.py:134), written by autodiff.

import numpy as np
from autodiff.runtime import Tape


def helper_in_loop_grad(x, stiffness, h, n):
    """Gradient of helper_in_loop (calls.py:134) with respect to x, stiffness."""
    tape = Tape()

    # Forward sweep
    v = np.zeros_like(x)
    for _ in range(n):
        middle = x + 0.5 * h * v
        sin_middle = np.sin(middle)
        tape.push((middle, sin_middle))
        v = v + h * (-stiffness * sin_middle)
        x = middle + 0.5 * h * v

    # Reverse sweep
    v_bar = np.zeros_like(v)
    # return np.sum(x**2)
    x_bar = 2 * x
    stiffness_bar = 0.0
    for middle, sin_middle in reversed(tape):
        # x = middle + 0.5 * h * v
        v_bar += x_bar * (0.5 * h)
        # v = v + h * force(middle, stiffness)
        force_middle_bar = v_bar * h
        # return -stiffness * np.sin(x)
        x_bar -= force_middle_bar * stiffness * np.cos(middle)
        stiffness_bar -= np.vdot(force_middle_bar, sin_middle)
        # middle = x + 0.5 * h * v
        v_bar += x_bar * (0.5 * h)
    return x_bar, stiffness_bar

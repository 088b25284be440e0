# Derivative of helper_in_loop (calls.py:134), written by autodiff.

import numpy as np
from autodiff.runtime import Tape


def helper_in_loop_grad(x, stiffness, h, n):
    """Gradient of helper_in_loop (calls.py:134) with respect to x, stiffness."""
    tape = Tape()

    # Forward sweep
    v = np.zeros_like(x)
    half_h = 0.5 * h
    for _ in range(n):
        middle = x + half_h * v
        sin_x = np.sin(middle)
        v = v - h * (stiffness * sin_x)
        x = middle + half_h * v
        tape.push((middle, sin_x))

    # Reverse sweep
    # return np.sum(x**2)
    x_bar = 2 * x
    stiffness_bar = 0.0
    v_bar = np.zeros_like(v)
    for middle, sin_x in reversed(tape):
        # x = middle + 0.5 * h * v
        v_bar += x_bar * half_h
        # v = v + h * force(middle, stiffness)
        force_middle_bar = v_bar * h
        # return -stiffness * np.sin(x)
        middle_bar = x_bar - force_middle_bar * stiffness * np.cos(middle)
        stiffness_bar -= np.vdot(force_middle_bar, sin_x)
        # middle = x + 0.5 * h * v
        v_bar += middle_bar * half_h
        x_bar = middle_bar
    return x_bar, stiffness_bar

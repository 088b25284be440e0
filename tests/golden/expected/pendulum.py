# Derivative of pendulum (loops.py:45), written by autodiff.

import math

from autodiff.runtime import Tape


def pendulum_grad(x, v, n):
    """Gradient of pendulum (loops.py:45) with respect to x, v."""
    tape = Tape()

    # Forward sweep
    h = 0.1
    for _ in range(n):
        v = v - h * math.sin(x)
        tape.push(x)
        x = x + h * v

    # Reverse sweep
    # return 0.5 * v * v - math.cos(x)
    x_bar = math.sin(x)
    v_bar = v
    for x in reversed(tape):
        # x = x + h * v
        v_bar += x_bar * h
        # v = v - h * math.sin(x)
        x_bar -= v_bar * h * math.cos(x)
    return x_bar, v_bar

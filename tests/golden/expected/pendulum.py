# Derivative of pendulum (loops.py:45), written by autodiff.

import math

from autodiff.runtime import Tape


def pendulum_grad(x, v, n):
    """Gradient of pendulum (loops.py:45) with respect to x, v."""
    tape = Tape()

    # Forward sweep
    for _ in range(n):
        tape.push(x)
        v = v - 0.1 * math.sin(x)
        x = x + 0.1 * v

    # Reverse sweep
    # return 0.5 * v * v - math.cos(x)
    v_bar = 0.5 * v + v * 0.5
    x_bar = math.sin(x)
    for x in reversed(tape):
        # x = x + h * v
        v_bar += x_bar * 0.1
        # v = v - h * math.sin(x)
        x_bar -= v_bar * 0.1 * math.cos(x)
    return x_bar, v_bar

# Derivative of loop_pullback (transforms.py:22), written by autodiff.

import math

from autodiff.runtime import Tape


def loop_pullback_vjp(x, n):
    """Value and pullback of loop_pullback (transforms.py:22) with respect to x."""
    tape = Tape()

    # Forward sweep
    for _ in range(n):
        sin_x = math.sin(x)
        tape.push((x, sin_x))
        x = x * sin_x
    value = x

    def pullback(x_bar):
        # Reverse sweep
        for x, sin_x in reversed(tape):
            # x = x * math.sin(x)
            x_bar = x_bar * sin_x + x_bar * x * math.cos(x)
        return (x_bar,)

    return value, pullback

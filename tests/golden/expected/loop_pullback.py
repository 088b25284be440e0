# Derivative of loop_pullback (transforms.py:22), written by autodiff.

import math

from autodiff.runtime import Tape


def loop_pullback_vjp(x, n):
    """Value and pullback of loop_pullback (transforms.py:22) with respect to x."""
    tape = Tape()

    # Forward sweep
    for _ in range(n):
        tape.push(x)
        x = x * math.sin(x)

    def pullback(x_bar):
        # Reverse sweep
        for x in reversed(tape):
            # x = x * math.sin(x)
            x_bar = x_bar * math.sin(x) + x_bar * x * math.cos(x)
        return (x_bar,)

    return x, pullback

# Derivative of while_loop (loops.py:76), written by autodiff.

from autodiff.runtime import Tape


def while_loop_grad(x):
    """Gradient of while_loop (loops.py:76) with respect to x."""
    tape = Tape()

    # Forward sweep
    y = x
    while y < 10.0:
        tape.push(y)
        y = y * y + x + 1.0

    # Reverse sweep
    y_bar = 1.0
    x_bar = 0.0
    for y in reversed(tape):
        # y = y * y + x + 1.0
        x_bar += y_bar
        y_bar = 2.0 * y_bar * y
    return x_bar + y_bar

# Derivative of logistic_map (loops.py:19), written by autodiff.

from autodiff.runtime import Tape


def logistic_map_grad(x, n):
    """Gradient of logistic_map (loops.py:19) with respect to x."""
    tape = Tape()

    # Forward sweep
    for _ in range(n):
        tape.push(x)
        x = 3.5 * x * (1.0 - x)

    # Reverse sweep
    x_bar = 1.0
    for x in reversed(tape):
        # x = 3.5 * x * (1.0 - x)
        x_bar = x_bar * (1.0 - x) * 3.5 - x_bar * (3.5 * x)
    return (x_bar,)

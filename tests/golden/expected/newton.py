# Derivative of newton (loops.py:84), written by autodiff.

from autodiff.runtime import Tape


def newton_grad(a, x, tol):
    """Gradient of newton (loops.py:84) with respect to a."""
    tape = Tape()

    # Forward sweep
    while True:
        step = (x * x - a) / (2.0 * x)
        tape.push((x, step))
        x = x - step
        if abs(step) < tol:
            break

    # Reverse sweep
    x_bar = 1.0
    a_bar = 0.0
    for x, step in reversed(tape):
        # step = (x * x - a) / (2.0 * x)
        scaled = x_bar / (2.0 * x)
        a_bar += scaled
        x_bar += scaled * step * 2.0 - 2.0 * scaled * x
    return a_bar

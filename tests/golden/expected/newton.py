# Derivative of newton (loops.py:84), written by autodiff.

from autodiff.runtime import Tape


def newton_grad(a, x, tol):
    """Gradient of newton (loops.py:84) with respect to a."""
    tape = Tape()

    # Forward sweep
    while True:
        tape.push(x)
        step = (x * x - a) / (2.0 * x)
        x = x - step
        stop = abs(step) < tol
        if stop:
            break

    # Reverse sweep
    x_bar = 1.0
    a_bar = 0.0
    for x in reversed(tape):
        # step = (x * x - a) / (2.0 * x)
        product = 2.0 * x
        scaled = x_bar / product
        x_bar += scaled * ((x * x - a) / product) * 2.0
        x_bar -= 2.0 * scaled * x
        a_bar += scaled
    return a_bar

# Derivative of newton (loops.py:65), written by autodiff.

from autodiff.runtime import Tape


def newton_grad(a, x, tol):
    """Gradient of newton (loops.py:65) with respect to a."""
    tape = Tape()

    # Forward sweep
    steps = 0
    while True:
        steps += 1
        product = 2.0 * x
        step = (x * x - a) / product
        tape.push((x, step))
        x = x - step
        if abs(step) < tol:
            break

    # Reverse sweep
    x_bar = 1.0
    a_bar = 0.0
    for _ in range(steps):
        x, step = tape.pop()
        # x = x - step
        step_bar = -x_bar
        # step = (x * x - a) / (2.0 * x)
        product = 2.0 * x
        x_times_x_minus_a_bar = step_bar / product
        x_bar -= step_bar * step / product * 2.0
        a_bar -= x_times_x_minus_a_bar
        x_bar += 2.0 * x_times_x_minus_a_bar * x
    return a_bar

# Derivative of van_der_pol (loops.py:178), written by autodiff.

import numpy as np
from autodiff.runtime import Tape


def van_der_pol_grad(y, mu, h, n):
    """Gradient of van_der_pol (loops.py:178) with respect to y, mu."""
    tape = Tape()

    # Forward sweep
    for _ in range(n):
        middle = y + 0.5 * h * np.array([y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]])
        tape.push((y, middle))
        y = y + h * np.array([middle[1], mu * (1 - middle[0] ** 2) * middle[1] - middle[0]])

    # Reverse sweep
    # return np.sum(y**2)
    y_bar = 2 * y
    mu_bar = 0.0
    for y, middle in reversed(tape):
        # y = y + h * rate(middle)
        result_bar = y_bar * h
        # return np.array([y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]])
        difference_bar = result_bar[1]
        product_bar = difference_bar * middle[1]
        middle_0 = middle[0]
        difference = 1 - middle_0**2
        difference_2 = -difference_bar - product_bar * (2 * mu) * middle_0
        items = [difference_2, difference_bar * (mu * difference) + result_bar[0]]
        middle_bar = np.array(items)
        # middle = y + 0.5 * h * rate(y)
        y_bar = y_bar + middle_bar
        result_bar = middle_bar * (0.5 * h)
        # return np.array([y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]])
        product_minus_y_0_bar = result_bar[1]
        product_2_bar = product_minus_y_0_bar * y[1]
        y_0 = y[0]
        difference_2 = 1 - y_0**2
        y_bar[0] -= product_minus_y_0_bar + product_2_bar * (2 * mu) * y_0
        y_bar[1] += product_minus_y_0_bar * (mu * difference_2) + result_bar[0]
        mu_bar = mu_bar + product_bar * difference + product_2_bar * difference_2
    return y_bar, mu_bar

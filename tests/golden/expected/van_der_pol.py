# Derivative of van_der_pol (loops.py:178), written by autodiff.

import numpy as np
from autodiff.runtime import Tape


def van_der_pol_grad(y, mu, h, n):
    """Gradient of van_der_pol (loops.py:178) with respect to y, mu."""
    tape = Tape()

    # Forward sweep
    half_h = 0.5 * h
    for _ in range(n):
        y_1 = y[1]
        y_0 = y[0]
        difference = 1 - y_0**2
        middle = y + half_h * np.array([y_1, mu * difference * y_1 - y_0])
        y_1_3 = middle[1]
        y_0_3 = middle[0]
        difference_3 = 1 - y_0_3**2
        y = y + h * np.array([y_1_3, mu * difference_3 * y_1_3 - y_0_3])
        tape.push((y_0, difference, y_1, y_0_3, difference_3, y_1_3))

    # Reverse sweep
    # return np.sum(y**2)
    y_bar = 2 * y
    mu_bar = 0.0
    mu_times_2 = 2 * mu
    for y_0, difference, y_1, y_0_3, difference_3, y_1_3 in reversed(tape):
        # y = y + h * rate(middle)
        rate_middle_bar = y_bar * h
        # return np.array([y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]])
        items_2_1_bar = rate_middle_bar[1]
        product_5_bar = items_2_1_bar * y_1_3
        mu_bar += product_5_bar * difference_3
        middle_0_bar = -items_2_1_bar - product_5_bar * y_0_3 * mu_times_2
        middle_1_bar = items_2_1_bar * (mu * difference_3) + rate_middle_bar[0]
        middle_bar = np.array([middle_0_bar, middle_1_bar])
        # middle = y + 0.5 * h * rate(y)
        y_bar += middle_bar
        rate_y_bar = middle_bar * half_h
        # return np.array([y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]])
        items_1_bar = rate_y_bar[1]
        product_4_bar = items_1_bar * y_1
        mu_bar += product_4_bar * difference
        y_bar[0] -= items_1_bar + product_4_bar * y_0 * mu_times_2
        y_bar[1] += items_1_bar * (mu * difference) + rate_y_bar[0]
    return y_bar, mu_bar

# Derivative of gauss_seidel (memory.py:97), written by autodiff.

import numpy as np
from autodiff.runtime import Tape


def gauss_seidel_grad(a, b, sweeps):
    """Gradient of gauss_seidel (memory.py:97) with respect to a, b."""
    tape = Tape()

    # Forward sweep
    n = len(b)
    x = np.zeros(n)
    for _ in range(sweeps):
        for i in range(n):
            a_pair = a[i, i]
            x_i = x[i]
            total_over_a_pair = (b[i] - a[i] @ x + a_pair * x_i) / a_pair
            tape.push((total_over_a_pair, x_i))
            x[i] = total_over_a_pair

    # Reverse sweep
    # return np.sum(x**2)
    x_bar = 2 * x
    a_bar = np.zeros_like(a)
    b_bar = np.zeros_like(b)
    for _ in reversed(range(sweeps)):
        for i in reversed(range(n)):
            total_over_a_pair, x_i = tape.pop()
            # x[i] = (b[i] - a[i] @ x + a[i, i] * x[i]) / a[i, i]
            x[i] = x_i
            total_over_a_pair_bar = x_bar[i]
            a_pair = a[i, i]
            total_bar = total_over_a_pair_bar / a_pair if total_over_a_pair_bar else 0.0
            a_pair_bar = (
                -(total_over_a_pair_bar / a_pair) * total_over_a_pair
                if total_over_a_pair_bar
                else 0.0
            )
            x_bar[i] = total_bar * a_pair
            a_bar[i, i] += a_pair_bar + total_bar * x[i]
            x_bar -= total_bar * a[i]
            a_bar[i] -= total_bar * x
            b_bar[i] += total_bar
    return a_bar, b_bar

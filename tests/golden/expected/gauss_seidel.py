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
            x[i] = (b[i] - a[i] @ x + a_pair * x_i) / a_pair
            tape.push(x_i)

    # Reverse sweep
    # return np.sum(x**2)
    x_bar = 2 * x
    a_bar = np.zeros_like(a)
    b_bar = np.zeros_like(b)
    for _ in reversed(range(sweeps)):
        for i in reversed(range(n)):
            x_i = tape.pop()
            # x[i] = (b[i] - a[i] @ x + a[i, i] * x[i]) / a[i, i]
            a_pair = a[i, i]
            quotient = x[i]
            x[i] = x_i
            scaled = x_bar[i] / a_pair
            x_bar[i] = scaled * a_pair
            a_bar[i, i] += scaled * x_i - scaled * quotient
            x_bar -= scaled * a[i]
            a_bar[i] -= scaled * x
            b_bar[i] += scaled
    return a_bar, b_bar

# Derivative of cholesky_by_columns (memory.py:212), written by autodiff.

import numpy as np


def cholesky_by_columns_grad(a):
    """Gradient of cholesky_by_columns (memory.py:212) with respect to a."""
    # Forward sweep
    n = len(a)
    lower = np.zeros((n, n))
    for j in range(n):
        lower[j, j] = np.sqrt(a[j, j] - np.sum(lower[j, :j] ** 2))
        for i in range(j + 1, n):
            s = a[i, j]
            for k in range(j):
                s = s - lower[i, k] * lower[j, k]
            lower[i, j] = s / lower[j, j]

    # Reverse sweep
    # return np.sum(np.log(np.diag(lower)))
    lower_bar = np.diag(1.0 / np.diag(lower))
    a_bar = np.zeros_like(a)
    for j in reversed(range(n)):
        for i in reversed(range(j + 1, n)):
            # lower[i, j] = s / lower[j, j]
            quotient = lower[i, j]
            quotient_bar = lower_bar[i, j]
            lower_bar[i, j] = 0.0
            scaled = quotient_bar / lower[j, j]
            lower_bar[j, j] -= scaled * quotient
            for k in reversed(range(j)):
                # s -= lower[i, k] * lower[j, k]
                lower_pair_3 = lower[j, k]
                lower_bar[j, k] -= scaled * lower[i, k]
                lower_bar[i, k] -= scaled * lower_pair_3
            # s = a[i, j]
            a_bar[i, j] += scaled
        # lower[j, j] = np.sqrt(a[j, j] - np.sum(lower[j, :j] ** 2))
        sqrt_difference = lower[j, j]
        sqrt_difference_bar = lower_bar[j, j]
        lower_bar[j, j] = 0.0
        difference_bar = sqrt_difference_bar / (2 * sqrt_difference)
        lower_bar[j, :j] -= 2 * difference_bar * lower[j, :j]
        a_bar[j, j] += difference_bar
    return a_bar

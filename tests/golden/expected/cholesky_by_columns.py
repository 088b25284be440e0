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
    lower_bar = np.diag(1.0 / np.diag(lower)).copy()
    a_bar = np.zeros_like(a)
    for j in reversed(range(n)):
        for i in reversed(range(j + 1, n)):
            # lower[i, j] = s / lower[j, j]
            s_over_lower_pair_bar = lower_bar[i, j]
            lower_bar[i, j] = 0.0
            lower_pair = lower[j, j]
            s_bar = s_over_lower_pair_bar / lower_pair if s_over_lower_pair_bar else 0.0
            s_over_lower_pair = lower[i, j]
            lower_pair_bar = (
                -(s_over_lower_pair_bar / lower_pair) * s_over_lower_pair
                if s_over_lower_pair_bar
                else 0.0
            )
            lower_bar[j, j] += lower_pair_bar
            for k in reversed(range(j)):
                # s -= lower[i, k] * lower[j, k]
                lower_bar[j, k] -= s_bar * lower[i, k]
                lower_bar[i, k] -= s_bar * lower[j, k]
            # s = a[i, j]
            a_bar[i, j] += s_bar
        # lower[j, j] = np.sqrt(a[j, j] - np.sum(lower[j, :j] ** 2))
        sqrt_difference_bar = lower_bar[j, j]
        lower_bar[j, j] = 0.0
        quotient = sqrt_difference_bar / (2 * lower[j, j])
        difference_bar = quotient if sqrt_difference_bar else 0.0
        lower_bar[j, :j] -= 2 * difference_bar * lower[j, :j]
        a_bar[j, j] += difference_bar
    return a_bar

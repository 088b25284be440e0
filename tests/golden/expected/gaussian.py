# Derivative of gaussian (spectral.py:32), written by autodiff.

import numpy as np


def gaussian_grad(factor, x):
    """Gradient of gaussian (spectral.py:32) with respect to factor, x."""
    # Forward sweep
    covariance = factor @ factor.T
    solve_covariance = np.linalg.solve(covariance, x)
    np.linalg.slogdet(covariance)

    # Reverse sweep
    # return -0.5 * x @ np.linalg.solve(covariance, x) - 0.5 * np.linalg.slogdet(covariance)[1]
    covariance_bar = -0.5 * np.linalg.inv(covariance).T
    b_bar = np.linalg.solve(covariance.T, -0.5 * x)
    covariance_bar -= np.outer(b_bar, solve_covariance)
    x_bar = b_bar + solve_covariance * -0.5
    return covariance_bar @ factor + covariance_bar.T @ factor, x_bar

# Derivative of batch_normalised (arrays.py:21), written by autodiff.

import numpy as np


def batch_normalised_grad(x, gamma, beta):
    """Gradient of batch_normalised (arrays.py:21) with respect to x, gamma, beta."""
    # Forward sweep
    mean = x.mean(axis=0)
    variance = x.var(axis=0)
    x_minus_mean = x - mean
    sqrt_total = np.sqrt(variance + 1e-05)
    quotient = gamma * x_minus_mean / sqrt_total
    y = quotient + beta
    tanh_y = np.tanh(y)

    # Reverse sweep
    # return np.sum(np.tanh(y) ** 2)
    y_bar = 2 * tanh_y * (1 - tanh_y**2)
    # y = gamma * (x - mean) / np.sqrt(variance + 1e-5) + beta
    beta_bar = y_bar.sum(axis=0)
    scaled = y_bar / sqrt_total
    total_bar = np.sum(scaled * quotient, axis=0) / sqrt_total
    gamma_bar = np.sum(scaled * x_minus_mean, axis=0)
    x_minus_mean_bar = scaled * gamma
    # variance = x.var(axis=0)
    x_bar = x_minus_mean_bar - total_bar * (1.0 / x.shape[0]) * x_minus_mean
    return x_bar - x_minus_mean_bar.sum(axis=0) / x.shape[0], gamma_bar, beta_bar

# Derivative of arch (loops.py:189), written by autodiff.

import numpy as np


def arch_grad(params, returns):
    """Gradient of arch (loops.py:189) with respect to params."""
    # Forward sweep
    mu, omega, alpha = params

    # Reverse sweep
    alpha_bar = 0.0
    mu_bar = 0.0
    omega_bar = 0.0
    for t in range(1, len(returns)):
        difference = returns[t - 1] - mu
        difference_pow_2 = difference**2
        variance = omega + alpha * difference_pow_2
        returns_t_minus_mu = returns[t] - mu
        # cost += math.log(variance) + (returns[t] - mu) ** 2 / variance
        scaled = 1.0 / variance
        mu_bar -= scaled * (2 * returns_t_minus_mu)
        variance_bar = scaled - scaled * (returns_t_minus_mu**2 / variance)
        # variance = omega + alpha * (returns[t - 1] - mu) ** 2
        omega_bar += variance_bar
        alpha_bar += variance_bar * difference_pow_2
        mu_bar -= variance_bar * alpha * (2 * difference)
    return np.array([mu_bar, omega_bar, alpha_bar])

# Derivative of arch (loops.py:189), written by autodiff.

import numpy as np


def arch_grad(params, returns):
    """Gradient of arch (loops.py:189) with respect to params."""
    # Forward sweep
    mu, omega, alpha = params

    # Reverse sweep
    mu_bar = 0.0
    omega_bar = 0.0
    alpha_bar = 0.0
    for t in reversed(range(1, len(returns))):
        # cost += math.log(variance) + (returns[t] - mu) ** 2 / variance
        difference = returns[t - 1] - mu
        difference_pow_2 = difference**2
        variance = omega + alpha * difference_pow_2
        scaled = 1.0 / variance
        returns_t_minus_mu = returns[t] - mu
        mu_bar -= scaled * (2 * returns_t_minus_mu)
        variance_bar = scaled - scaled * (returns_t_minus_mu**2 / variance)
        # variance = omega + alpha * (returns[t - 1] - mu) ** 2
        omega_bar += variance_bar
        mu_bar -= variance_bar * (2 * alpha) * difference
        alpha_bar += variance_bar * difference_pow_2
    # mu, omega, alpha = params
    params_bar = np.array([mu_bar, omega_bar, alpha_bar])
    return params_bar

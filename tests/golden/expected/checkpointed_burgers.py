# Derivative of checkpointed_burgers (checkpoints.py:10), written by autodiff.

import numpy as np
from autodiff.runtime import checkpointed_steps


def step(t, energy, u, viscosity):
    """Value of step (checkpoints.py:13)."""
    slope = u[2:] - u[:-2]
    u[1:-1] = u[1:-1] - 0.1 * u[1:-1] * slope + viscosity * np.cos(0.1 * t)
    energy = energy + np.sum(u**2)
    return energy, u


def step_vjp(t, energy, u, viscosity):
    """Value and pullback of step (checkpoints.py:13) with respect to energy, u, viscosity."""
    # Forward sweep
    slope = u[2:] - u[:-2]
    product = 0.1 * u[1:-1]
    cos_product = np.cos(0.1 * t)
    u[1:-1] = u[1:-1] - product * slope + viscosity * cos_product
    energy = energy + np.sum(u**2)

    def pullback(result_bar):
        # Reverse sweep
        u_bar = result_bar[1].copy()
        # energy = energy + np.sum(u**2)
        u_bar += 2 * result_bar[0] * u
        # u[1:-1] = u[1:-1] - 0.1 * u[1:-1] * slope + viscosity * np.cos(0.1 * t)
        viscosity_bar = np.sum(u_bar[1:-1]) * cos_product
        slope_bar = u_bar[1:-1] * product
        u_bar[1:-1] -= u_bar[1:-1] * slope * 0.1
        # slope = u[2:] - u[:-2]
        u_bar[:-2] += slope_bar
        u_bar[2:] -= slope_bar
        return result_bar[0], u_bar, viscosity_bar

    return (energy, u), pullback


def checkpointed_burgers_grad(u, viscosity, steps):
    """Gradient of checkpointed_burgers (checkpoints.py:10) with respect to u, viscosity."""
    # Forward sweep
    (_, _), steps_pullback = checkpointed_steps(
        step, step_vjp, range(steps), 4, (0.0, u), (viscosity,), (0, 1, 2)
    )

    # Reverse sweep
    _, u_bar, viscosity_bar = steps_pullback((1.0, 0.0))
    return u_bar.copy(), viscosity_bar

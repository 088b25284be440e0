# Derivative of checkpointed_burgers (checkpoints.py:10), written by autodiff.

import numpy as np
from autodiff.runtime import checkpointed_steps, copied


def step(t, energy, u, viscosity):
    slope = u[2:] - u[:-2]
    u[1:-1] = u[1:-1] - 0.1 * u[1:-1] * slope + viscosity * np.cos(0.1 * t)
    energy = energy + np.sum(u**2)
    return energy, u


def step_vjp(t, energy, u, viscosity):
    """Value and pullback of step (checkpoints.py:10) with respect to energy, u, viscosity."""
    u = u.copy()

    # Forward sweep
    slope = u[2:] - u[:-2]
    product = 0.1 * u[1:-1]
    cos_product_3 = np.cos(0.1 * t)
    u[1:-1] = u[1:-1] - product * slope + viscosity * cos_product_3
    energy_2 = energy + np.sum(u**2)
    value = copied((energy_2, u))

    def pullback(result_bar):
        # Reverse sweep
        # return energy, u
        energy_2_bar = result_bar[0]
        u_bar = result_bar[1]
        # energy = energy + np.sum(u**2)
        u_bar = u_bar + 2 * energy_2_bar * u
        # u[1:-1] = u[1:-1] - 0.1 * u[1:-1] * slope + viscosity * np.cos(0.1 * t)
        total_bar = u_bar[1:-1].copy()
        u_bar[1:-1] = 0.0
        product_4_bar = total_bar.sum()
        product_2_bar = -total_bar
        slope_bar = product_2_bar * product
        u_bar[1:-1] += product_2_bar * slope * 0.1
        u_bar[1:-1] += total_bar
        # slope = u[2:] - u[:-2]
        u_bar[:-2] -= slope_bar
        u_bar[2:] += slope_bar
        return energy_2_bar, u_bar, product_4_bar * cos_product_3

    return value, pullback


def checkpointed_burgers_grad(u, viscosity, steps):
    """Gradient of checkpointed_burgers (checkpoints.py:10) with respect to u, viscosity."""
    # Forward sweep
    energy = 0.0
    state, steps_pullback = checkpointed_steps(
        step, step_vjp, range(steps), 4, (energy, u), (viscosity,), (0, 1, 2)
    )

    # Reverse sweep
    # for t in checkpointed(range(steps), snapshots=4):
    energy_bar_part, u_bar_part, viscosity_bar_part = steps_pullback((1.0, np.zeros_like(state[1])))
    return u_bar_part.copy(), viscosity_bar_part

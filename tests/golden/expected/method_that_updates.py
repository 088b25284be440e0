# Derivative of method_that_updates (objects.py:23), written by autodiff.

import numpy as np
from autodiff.runtime import Tape, restructured


def method_that_updates_grad(heat, n):
    """Gradient of method_that_updates (objects.py:23) with respect to heat."""
    tape = Tape()

    # Forward sweep
    heat_u = heat.u
    heat_t = heat.t
    for _ in range(n):
        tape.push(heat_u)
        heat_u = heat_u - 0.1 * heat.diffusivity * heat.stiffness @ heat_u
        heat_t = heat_t + 0.1
    sum_heat_u_pow_2 = np.sum(heat_u**2)

    # Reverse sweep
    heat_stiffness_bar = np.zeros_like(heat.stiffness)
    # return np.sum(heat.u**2) * heat.t
    heat_u_bar = 2 * heat_t * heat_u
    heat_diffusivity_bar = 0.0
    for heat_u in reversed(tape):
        # self.u = self.u - dt * self.diffusivity * self.stiffness @ self.u
        product_bar = np.outer(-heat_u_bar, heat_u)
        product = 0.1 * heat.diffusivity
        heat_u_bar -= (product * heat.stiffness).T @ heat_u_bar
        product_2_bar = np.vdot(product_bar, heat.stiffness)
        heat_stiffness_bar += product_bar * product
        heat_diffusivity_bar += product_2_bar * 0.1
    return restructured(
        heat,
        {
            "u": heat_u_bar,
            "stiffness": heat_stiffness_bar,
            "diffusivity": heat_diffusivity_bar,
            "t": sum_heat_u_pow_2,
        },
    )

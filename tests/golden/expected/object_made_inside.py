# Derivative of object_made_inside (objects.py:50), written by autodiff.

import numpy as np
from autodiff.runtime import Tape


def object_made_inside_grad(x, v, n):
    """Gradient of object_made_inside (objects.py:50) with respect to x, v."""
    tape = Tape()

    # Forward sweep
    body_position = x
    body_velocity = v
    for _ in range(n):
        tape.push(body_position)
        body_velocity = body_velocity + 0.1 * -np.sin(body_position) / 1.0
        body_position = body_position + 0.1 * body_velocity

    # Reverse sweep
    body_position_bar = 1.0
    body_velocity_bar = 0.0
    for body_position in reversed(tape):
        # self.position += dt * self.velocity
        body_velocity_bar += body_position_bar * 0.1
        # body.kick(-np.sin(body.position), 0.1)
        product = body_velocity_bar * 0.1 * np.cos(body_position)
        body_position_bar -= product
    return body_position_bar, body_velocity_bar

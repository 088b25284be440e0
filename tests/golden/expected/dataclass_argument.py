# Derivative of dataclass_argument (objects.py:43), written by autodiff.

from autodiff.runtime import restructured


def dataclass_argument_grad(body, dt):
    """Gradient of dataclass_argument (objects.py:43) with respect to body, dt."""
    # Forward sweep
    body_position = body.position
    body_velocity = body.velocity
    body_mass = body.mass
    minus_value = -body_position
    quotient = dt * minus_value / body_mass
    body_velocity_3 = body_velocity + quotient

    # Reverse sweep
    # return body.position**2 + body.velocity**2
    body_velocity_3_bar = 2 * body_velocity_3
    body_position_2_bar = 2 * (body_position + dt * body_velocity_3)
    # self.position += dt * self.velocity
    dt_bar = body_position_2_bar * body_velocity_3
    body_velocity_3_bar += body_position_2_bar * dt
    # self.velocity += dt * force / self.mass
    scaled = body_velocity_3_bar / body_mass
    body_mass_bar = -scaled * quotient
    dt_bar += scaled * minus_value
    # body.kick(-body.position, dt)
    body_position_bar = body_position_2_bar - scaled * dt
    return (
        restructured(
            body,
            {"position": body_position_bar, "velocity": body_velocity_3_bar, "mass": body_mass_bar},
        ),
        dt_bar,
    )

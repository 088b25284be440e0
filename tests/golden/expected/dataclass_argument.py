# Derivative of dataclass_argument (objects.py:43), written by autodiff.

from autodiff.runtime import restructured


def dataclass_argument_grad(body, dt):
    """Gradient of dataclass_argument (objects.py:43) with respect to body, dt."""
    # Forward sweep
    quotient = dt * -body.position / body.mass
    body_velocity = body.velocity + quotient

    # Reverse sweep
    # return body.position**2 + body.velocity**2
    body_position_bar = 2 * (body.position + dt * body_velocity)
    # self.position += dt * self.velocity
    body_velocity_bar = 2 * body_velocity + body_position_bar * dt
    # self.velocity += dt * force / self.mass
    scaled = body_velocity_bar / body.mass
    dt_bar = body_position_bar * body_velocity - scaled * body.position
    # body.kick(-body.position, dt)
    body_position_bar -= scaled * dt
    return (
        restructured(
            body,
            {
                "position": body_position_bar,
                "velocity": body_velocity_bar,
                "mass": -scaled * quotient,
            },
        ),
        dt_bar,
    )

# Derivative of object_argument (containers.py:61), written by autodiff.

from autodiff.runtime import restructured


def object_argument_grad(spring, x):
    """Gradient of object_argument (containers.py:61) with respect to spring, x."""
    # Forward sweep
    stretch = x - spring.length

    # Reverse sweep
    # return 0.5 * spring.stiffness * stretch**2
    stretch_bar = 0.5 * spring.stiffness * (2 * stretch)
    return (
        restructured(spring, {"stiffness": stretch**2 * 0.5, "length": -stretch_bar}), stretch_bar
    )

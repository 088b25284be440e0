# Derivative of tuple_argument (containers.py:11), written by autodiff.


def tuple_argument_grad(point):
    """Gradient of tuple_argument (containers.py:11) with respect to point."""
    # Forward sweep
    x, y = point

    # Reverse sweep
    return 2.0 * y * x, x * x

# Derivative of unused_work (straight.py:60), written by autodiff.


def unused_work_grad(x, scale):
    """Gradient of unused_work (straight.py:60) with respect to x."""
    # Forward sweep
    message = f"x is {x}"
    if not scale > 0:
        raise AssertionError(message)

    # Reverse sweep
    return 2.0 * scale * x

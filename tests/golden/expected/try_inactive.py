# Derivative of try_inactive (protection.py:27), written by autodiff.


def try_inactive_grad(x, text):
    """Gradient of try_inactive (protection.py:27) with respect to x."""
    # Reverse sweep
    return 5.0 * x

# Derivative of try_inactive (protection.py:27), written by autodiff.


def try_inactive_grad(x, text):
    """Gradient of try_inactive (protection.py:27) with respect to x."""
    # Forward sweep
    factor = float("2.5")

    # Reverse sweep
    return factor * (2 * x)

# Derivative of try_except (protection.py:16), written by autodiff.


def try_except_grad(x, text):
    """Gradient of try_except (protection.py:16) with respect to x."""
    # Forward sweep
    try:
        factor = float(text)
    except ValueError:
        factor = 1.0

    # Reverse sweep
    return factor * (2 * x)

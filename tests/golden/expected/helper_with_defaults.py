# Derivative of helper_with_defaults (calls.py:18), written by autodiff.


def helper_with_defaults_grad(x, y):
    """Gradient of helper_with_defaults (calls.py:18) with respect to x, y."""
    # Forward sweep
    y_2 = x - 0.0
    y_3 = y - x
    product = 2.0 * y_3
    y_4 = 2.0 - 0.0
    scaled_square_value = y * y_4 * y_4

    # Reverse sweep
    # return scale * y * y
    y_bar = scaled_square_value * product + scaled_square_value * y_3 * 2.0
    return 2.0 * y_2 + y_2 * 2.0 - y_bar, product * y_3 * y_4 * y_4 + y_bar

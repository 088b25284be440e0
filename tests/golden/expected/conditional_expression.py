# Derivative of conditional_expression (straight.py:42), written by autodiff.


def conditional_expression_grad(x, y):
    """Gradient of conditional_expression (straight.py:42) with respect to x."""
    # Reverse sweep
    if x < y:
        x_bar = y
    else:
        x_bar = -1.0
    return x_bar

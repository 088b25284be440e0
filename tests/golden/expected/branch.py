# Derivative of branch (branches.py:11), written by autodiff.


def branch_grad(x):
    """Gradient of branch (branches.py:11) with respect to x."""
    # Reverse sweep
    if x > 1.0:
        # y = x * x
        x_bar = 2.0 * x
    else:
        x_bar = 3.0
    return x_bar

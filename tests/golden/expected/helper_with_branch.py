# Derivative of helper_with_branch (calls.py:29), written by autodiff.


def helper_with_branch_grad(x):
    """Gradient of helper_with_branch (calls.py:29) with respect to x."""
    # Forward sweep
    if x < 0.0:
        result = 0.0
    else:
        result = x * x * (3.0 - 2.0 * x)

    # Reverse sweep
    if x < 0.0:
        x_bar = result
    else:
        # return x * x * (3.0 - 2.0 * x)
        x_bar = result - x * (x * x) * 2.0 + 2.0 * (x * (3.0 - 2.0 * x)) * x
    return x_bar

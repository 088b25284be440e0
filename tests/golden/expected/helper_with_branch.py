# Derivative of helper_with_branch (calls.py:29), written by autodiff.


def helper_with_branch_grad(x):
    """Gradient of helper_with_branch (calls.py:29) with respect to x."""
    # Forward sweep
    if x < 0.0:
        y = 0.0
    else:
        x_times_x = x * x
        difference = 3.0 - 2.0 * x
        y = x_times_x * difference

    # Reverse sweep
    # return y * x
    x_bar = y
    if not x < 0.0:
        # return x * x * (3.0 - 2.0 * x)
        x_bar += 2.0 * (x * difference) * x - x * x_times_x * 2.0
    return x_bar

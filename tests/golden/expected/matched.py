# Derivative of matched (branches.py:53), written by autodiff.


def matched_grad(x, form):
    """Gradient of matched (branches.py:53) with respect to x."""
    # Forward sweep
    branch = form == "square"
    if not branch:
        branch_2 = form == "cubic"

    # Reverse sweep
    if branch:
        # return x * x
        x_bar = 2.0 * x
    elif branch_2:
        # return x**3
        x_bar = 3 * x**2
    else:
        x_bar = 1.0
    return x_bar

# Derivative of matched (branches.py:53), written by autodiff.


def matched_grad(x, form):
    """Gradient of matched (branches.py:53) with respect to x."""
    # Reverse sweep
    if form == "square":
        # return x * x
        x_bar = 2.0 * x
    elif form == "cubic":
        # return x**3
        x_bar = 3 * x**2
    else:
        x_bar = 1.0
    return x_bar

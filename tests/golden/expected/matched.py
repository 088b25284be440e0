# Derivative of matched (branches.py:53), written by autodiff.


def matched_grad(x, form):
    """Gradient of matched (branches.py:53) with respect to x."""
    # Reverse sweep
    return 3 * x**2

# Derivative of polynomial (straight.py:11), written by autodiff.


def polynomial_grad(x, y):
    """Gradient of polynomial (straight.py:11) with respect to x, y."""
    # Forward sweep
    u = x * y
    v = u - 3.0 * x

    # Reverse sweep
    # v = u - 3.0 * x
    u_bar = v + u
    return u_bar * y - u * 3.0, u_bar * x

# Derivative of local_dict (containers.py:49), written by autodiff.


def local_dict_grad(x, y):
    """Gradient of local_dict (containers.py:49) with respect to x, y."""
    # Forward sweep
    x_at_x = x @ x

    # Reverse sweep
    # return parts["dot"] / parts["norm"]
    scaled = 1.0 / x_at_x
    return scaled * y - 2.0 * (scaled * (x @ y / x_at_x)) * x, scaled * x

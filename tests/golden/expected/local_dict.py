# Derivative of local_dict (containers.py:49), written by autodiff.


def local_dict_grad(x, y):
    """Gradient of local_dict (containers.py:49) with respect to x, y."""
    # Forward sweep
    parts = {"dot": x @ y, "norm": x @ x}
    parts_norm_value = parts["norm"]

    # Reverse sweep
    # return parts["dot"] / parts["norm"]
    scaled = 1.0 / parts_norm_value
    # parts = {"dot": x @ y, "norm": x @ x}
    x_bar = scaled * y - 2.0 * (scaled * (parts["dot"] / parts_norm_value)) * x
    return x_bar, scaled * x

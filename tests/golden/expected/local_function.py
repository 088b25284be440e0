# Derivative of local_function (calls.py:47), written by autodiff.


def local_function_grad(x, a):
    """Gradient of local_function (calls.py:47) with respect to x, a."""
    # Reverse sweep
    x_bar = x * x + a
    # return t * t + a
    x_bar += 2.0 * x * x
    return x_bar, x

# Derivative of local_function (calls.py:47), written by autodiff.


def local_function_grad(x, a):
    """Gradient of local_function (calls.py:47) with respect to x, a."""
    # Reverse sweep
    return x * x + a + 2.0 * x * x, x

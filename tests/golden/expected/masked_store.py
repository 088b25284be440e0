# Derivative of masked_store (memory.py:132), written by autodiff.


def masked_store_grad(x):
    """Gradient of masked_store (memory.py:132) with respect to x."""
    # Forward sweep
    y = x**2
    y[x < 0.0] = 0.0

    # Reverse sweep
    # y[x < 0.0] = 0.0
    y_bar = x.copy()
    y_bar[x < 0.0] = 0.0
    return y + y_bar * (2 * x)

# Derivative of list_of_numbers (containers.py:28), written by autodiff.


def list_of_numbers_grad(xs):
    """Gradient of list_of_numbers (containers.py:28) with respect to xs."""
    # Reverse sweep
    xs_bar = [0.0] * len(xs)
    for k in reversed(range(1, len(xs))):
        # s = s + xs[k] * xs[k - 1]
        xs_bar[k - 1] += xs[k]
        xs_bar[k] += xs[k - 1]
    return xs_bar

# Derivative of list_of_numbers (containers.py:28), written by autodiff.


def list_of_numbers_grad(xs):
    """Gradient of list_of_numbers (containers.py:28) with respect to xs."""
    # Forward sweep
    xs = [xs[0], xs[1], xs[2]]
    xs_bar = [0.0, 0.0, 0.0]

    # Reverse sweep
    for k in reversed(range(1, 3)):
        # s = s + xs[k] * xs[k - 1]
        xs_bar[k - 1] += xs[k]
        xs_bar[k] += xs[k - 1]
    return [xs_bar[0], xs_bar[1], xs_bar[2]]

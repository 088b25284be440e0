# Derivative of running_sum (memory.py:155), written by autodiff.


def running_sum_grad(x):
    """Gradient of running_sum (memory.py:155) with respect to x."""
    # Forward sweep
    y = x.copy()
    for i in range(1, len(y)):
        y[i] += y[i - 1]

    # Reverse sweep
    # return np.sum(y**2)
    y_bar = 2 * y
    for i in reversed(range(1, len(y))):
        # y[i] += y[i - 1]
        y_bar[i - 1] += y_bar[i]
    return y_bar

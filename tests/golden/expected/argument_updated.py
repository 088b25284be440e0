# Derivative of argument_updated (memory.py:180), written by autodiff.


def argument_updated_grad(x):
    """Gradient of argument_updated (memory.py:180) with respect to x."""
    # Forward sweep
    x = x.copy()
    x *= 2.0
    x_1 = x[1]
    x_2 = x[2]
    x[0] = x_1 * x_2

    # Reverse sweep
    # return np.sum(x**2)
    x_bar = 2 * x
    # x[0] = x[1] * x[2]
    x_1_times_x_2_bar = x_bar[0]
    x_bar[0] = 0.0
    x_bar[2] += x_1_times_x_2_bar * x_1
    x_bar[1] += x_1_times_x_2_bar * x_2
    # x *= 2.0
    x_bar *= 2.0
    return x_bar

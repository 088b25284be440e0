# Derivative of argument_updated (memory.py:180), written by autodiff.


def argument_updated_grad(x):
    """Gradient of argument_updated (memory.py:180) with respect to x."""
    # Forward sweep
    x_3 = x * 2.0
    x_1 = x_3[1]
    x_2 = x_3[2]
    x_3[0] = x_1 * x_2

    # Reverse sweep
    # return np.sum(x**2)
    x_3_bar = 2 * x_3
    # x[0] = x[1] * x[2]
    x_1_times_x_2_bar = x_3_bar[0]
    x_3_bar[0] = 0.0
    x_3_bar[2] += x_1_times_x_2_bar * x_1
    x_3_bar[1] += x_1_times_x_2_bar * x_2
    return x_3_bar * 2.0

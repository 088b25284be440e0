# Derivative of tuple_unpacking (straight.py:47), written by autodiff.


def tuple_unpacking_grad(a, b):
    """Gradient of tuple_unpacking (straight.py:47) with respect to a, b."""
    # Forward sweep
    b_2 = a * b
    c = b + b_2
    d = b - b_2

    # Reverse sweep
    # return c * d * e
    c_bar = 2.0 * d
    d_bar = 2.0 * c
    # (c, d), e = (a + b, a - b), 2.0
    b_bar = c_bar - d_bar
    return b_bar * b, d_bar + c_bar + b_bar * a

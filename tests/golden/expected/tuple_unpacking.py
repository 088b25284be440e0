# Derivative of tuple_unpacking (straight.py:47), written by autodiff.


def tuple_unpacking_grad(a, b):
    """Gradient of tuple_unpacking (straight.py:47) with respect to a, b."""
    # Forward sweep
    b_2 = a * b
    a_2 = b
    c = a_2 + b_2
    d = a_2 - b_2
    e = 2.0

    # Reverse sweep
    # return c * d * e
    c_bar = e * d
    d_bar = e * c
    # (c, d), e = (a + b, a - b), 2.0
    b_2_bar = c_bar - d_bar
    return b_2_bar * b, b_2_bar * a + (d_bar + c_bar)

# Derivative of horner_tangent (tangents.py:12), written by autodiff.


def horner_tangent_jvp(a, x, a_dot, x_dot):
    """Value and tangent of horner_tangent (tangents.py:12) with respect to a, x."""
    y = 0.0
    y_dot = 0.0
    for k in range(len(a)):
        y_dot = y_dot * x + x_dot * y + a_dot[k]
        y = y * x + a[k]
    return y, y_dot

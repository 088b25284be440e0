# Derivative of polar_pullback (transforms.py:17), written by autodiff.

import math


def polar_pullback_vjp(r, t):
    """Value and pullback of polar_pullback (transforms.py:17) with respect to r, t."""
    # Forward sweep
    cos_t = math.cos(t)
    sin_t = math.sin(t)

    def pullback(result_bar):
        # Reverse sweep
        # return r * math.cos(t), r * math.sin(t)
        r_bar = result_bar[1] * sin_t + result_bar[0] * cos_t
        return r_bar, result_bar[1] * r * cos_t - result_bar[0] * r * sin_t

    return (r * cos_t, r * sin_t), pullback

# Derivative of recurrent_tangent (tangents.py:28), written by autodiff.

import numpy as np


def recurrent_tangent_jvp(h, w, h_dot, w_dot):
    """Value and tangent of recurrent_tangent (tangents.py:28) with respect to h, w."""
    for _ in range(3):
        w_at_h_dot = w_dot @ h + w @ h_dot
        h = np.tanh(w @ h)
        h_dot = w_at_h_dot * (1 - h**2)
    result = np.linalg.norm(h)
    return result, np.sum(h_dot * h) / (1.0 if result == 0 else result)

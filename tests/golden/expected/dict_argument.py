# Derivative of dict_argument (containers.py:17), written by autodiff.

import numpy as np


def dict_argument_grad(params, x):
    """Gradient of dict_argument (containers.py:17) with respect to params."""
    # Reverse sweep
    # return np.sum((params["scale"] * x + params["shift"]) ** 2)
    total_bar = 2 * (params["scale"] * x + params["shift"])
    return {"scale": np.vdot(total_bar, x), "shift": total_bar.sum()}

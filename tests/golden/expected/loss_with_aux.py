# Derivative of loss_with_aux (transforms.py:34), written by autodiff.

import numpy as np


def loss_with_aux_grad(w, ridge):
    """Gradient of loss_with_aux (transforms.py:34) with respect to w."""
    # Forward sweep
    fit = np.sum(np.cos(w))
    penalty = ridge * np.sum(w * w)

    # Reverse sweep
    # penalty = ridge * np.sum(w * w)
    w_bar = 2.0 * ridge * w
    # fit = np.sum(np.cos(w))
    w_bar -= np.sin(w)
    return w_bar, {"fit": fit, "penalty": penalty}

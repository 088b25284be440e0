# Derivative of ufuncs_into_buffers (memory.py:139), written by autodiff.

import numpy as np


def ufuncs_into_buffers_grad(x, y):
    """Gradient of ufuncs_into_buffers (memory.py:139) with respect to x, y."""
    # Forward sweep
    work = np.empty_like(x)
    work[...] = np.multiply(x, y)

    # Reverse sweep
    # np.add(work, x, work)
    work_bar = np.full_like(work, 1.0)
    # np.exp(work, out=work)
    x_bar = work_bar
    work_bar = work_bar * np.exp(work)
    return x_bar + work_bar * y, work_bar * x

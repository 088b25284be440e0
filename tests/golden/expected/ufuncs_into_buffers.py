# Derivative of ufuncs_into_buffers (memory.py:139), written by autodiff.

import numpy as np


def ufuncs_into_buffers_grad(x, y):
    """Gradient of ufuncs_into_buffers (memory.py:139) with respect to x, y."""
    # Forward sweep
    work = np.empty_like(x)
    work[...] = np.multiply(x, y)
    exp_work = np.exp(work)
    work[...] = exp_work
    work[...] = np.add(work, x)

    # Reverse sweep
    # return np.sum(work)
    work_bar = np.full_like(work, 1.0)
    # np.add(work, x, work)
    add_work_bar = work_bar.copy()
    # np.exp(work, out=work)
    work_bar *= exp_work
    return add_work_bar + work_bar * y, work_bar * x

# Derivative of reductions (arrays.py:34), written by autodiff.

import numpy as np
from autodiff.runtime import others


def reductions_grad(m):
    """Gradient of reductions (arrays.py:34) with respect to m."""
    # Forward sweep
    centred = m - m.mean(axis=0)
    max_m = np.max(m, axis=1)

    # Reverse sweep
    # return np.sum(np.max(m, axis=1)) + centred.var() + np.prod(m[0])
    m_bar = np.zeros_like(m)
    m_bar[0] = others(m[0])
    centred_bar = 2 / m.size * (centred - np.mean(centred))
    best = m == max_m[:, None]
    m_bar += best * (1.0 / np.maximum(best.sum(1, max_m.dtype), 1))[:, None]
    # centred = m - m.mean(axis=0)
    m_bar += centred_bar
    m_bar -= centred_bar.sum(axis=0) / m.shape[0]
    return m_bar

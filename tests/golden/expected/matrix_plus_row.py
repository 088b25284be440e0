# Derivative of matrix_plus_row (arrays.py:16), written by autodiff.

import numpy as np


def matrix_plus_row_grad(m, row):
    """Gradient of matrix_plus_row (arrays.py:16) with respect to m, row."""
    # Forward sweep
    m_plus_row = m + row

    # Reverse sweep
    # return np.sum(np.sin(m + row) * m)
    m_plus_row_bar = m * np.cos(m_plus_row)
    return np.sin(m_plus_row) + m_plus_row_bar, m_plus_row_bar.sum(axis=0)

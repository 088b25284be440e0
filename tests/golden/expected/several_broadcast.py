# Derivative of scaled_rows (tangents.py:76), written by autodiff.

import numpy as np


def scaled_rows_jvp(m, s, m_dot, s_dot):
    """Value and tangents of scaled_rows (tangents.py:76) with respect to m, s."""
    column_dot = np.sum(m_dot, axis=2)
    column = np.sum(m, axis=1)
    table_dot = s_dot[:, None, None] * m + m_dot * s + column_dot[:, :, None]
    table = s * m + column[:, None]
    m_1 = m[1]
    tanh_m_1_times_s = np.tanh(m_1 * s)
    table_dot[:, 0] = (m_dot[:, 1] * s + s_dot[:, None] * m_1) * (1 - tanh_m_1_times_s**2)
    table[0] = tanh_m_1_times_s
    table_T = table.T
    return table_T @ column, table_dot.transpose((0, 2, 1)) @ column + column_dot @ table_T.T

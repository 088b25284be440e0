# Derivative of lu_by_rows (memory.py:107), written by autodiff.

import numpy as np
from autodiff.runtime import Tape


def lu_by_rows_grad(m):
    """Gradient of lu_by_rows (memory.py:107) with respect to m."""
    tape = Tape()

    # Forward sweep
    a = m.copy()
    n = a.shape[0]
    for k in range(n):
        pivot = a[k]
        for i in range(k + 1, n):
            row = a[i]
            row_k = row[k]
            row[k] = row_k / pivot[k]
            tape.push((row_k, row[k + 1 :].copy()))
            row[k + 1 :] -= row[k] * pivot[k + 1 :]

    # Reverse sweep
    a_bar = np.zeros_like(a)
    for k in reversed(range(n)):
        # total = total + np.log(a[k, k])
        a_bar[k, k] = 1.0 / a[k, k]
    for k in reversed(range(n)):
        # row[k + 1 :] -= row[k] * pivot[k + 1 :]
        pivot = a[k]
        pivot_bar = a_bar[k]
        for i in reversed(range(k + 1, n)):
            row_k, row_kept = tape.pop()
            # row[k + 1 :] -= row[k] * pivot[k + 1 :]
            row = a[i]
            row[k + 1 :] = row_kept
            row_bar = a_bar[i]
            row_bar_value = row_bar[k + 1 :]
            vdot_row_bar_value = np.vdot(row_bar_value, pivot[k + 1 :])
            pivot_bar[k + 1 :] -= row_bar_value * row[k]
            row_bar[k] -= vdot_row_bar_value
            # row[k] /= pivot[k]
            row[k] = row_k
            row_k_over_pivot_k_bar = row_bar[k]
            pivot_k = pivot[k]
            row_k_over_pivot_k = row[k] / pivot_k
            pivot_k_bar = (
                -(row_k_over_pivot_k_bar / pivot_k) * row_k_over_pivot_k
                if row_k_over_pivot_k_bar
                else 0.0
            )
            row_bar[k] = row_k_over_pivot_k_bar / pivot_k if row_k_over_pivot_k_bar else 0.0
            pivot_bar[k] += pivot_k_bar
    return a_bar

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
        for i in range(k + 1, n):
            pivot_k = a[k, k]
            row_k_2 = a[i, k]
            a[i, k] = row_k_2 / pivot_k
            a[i, k + 1 :] -= a[i, k] * a[k, k + 1 :]
            tape.push(row_k_2)

    # Reverse sweep
    a_bar = np.zeros_like(a)
    for k in reversed(range(n)):
        # total = total + np.log(a[k, k])
        a_bar[k, k] += 1.0 / a[k, k]
    for k in reversed(range(n)):
        for i in reversed(range(k + 1, n)):
            row_k_2 = tape.pop()
            # row[k + 1 :] -= row[k] * pivot[k + 1 :]
            product_bar = -a_bar[i, k + 1 :]
            a_bar[k, k + 1 :] += product_bar * a[i, k]
            a_bar[i, k] += np.vdot(product_bar, a[k, k + 1 :])
            # row[k] /= pivot[k]
            pivot_k = a[k, k]
            scaled = a_bar[i, k] / pivot_k
            a_bar[i, k] = scaled
            a_bar[k, k] -= scaled * (row_k_2 / pivot_k)
    return a_bar

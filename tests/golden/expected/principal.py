# Derivative of principal (spectral.py:45), written by autodiff.

import numpy as np
from autodiff.runtime import eigh_adjoint


def principal_grad(x):
    """Gradient of principal (spectral.py:45) with respect to x."""
    # Forward sweep
    values, vectors = np.linalg.eigh(x @ x.T)

    # Reverse sweep
    # return values[-1] + vectors[0, -1] ** 2
    vectors_bar = np.zeros_like(vectors)
    vectors_bar[0, -1] = 2 * vectors[0, -1]
    values_bar = np.zeros_like(values)
    values_bar[-1] = 1.0
    # values, vectors = np.linalg.eigh(x @ x.T)
    x_at_x_T_bar = eigh_adjoint(values_bar, vectors_bar, values, vectors)
    return x_at_x_T_bar @ x + x_at_x_T_bar.T @ x

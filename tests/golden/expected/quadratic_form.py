# Derivative of quadratic_form (arrays.py:65), written by autodiff.

import numpy as np
from autodiff.runtime import einsum_adjoint


def quadratic_form_grad(a, x):
    """Gradient of quadratic_form (arrays.py:65) with respect to a, x."""
    # Reverse sweep
    # return x @ (a @ x) + np.einsum("i,ij->", x, a)
    a_bar = einsum_adjoint(1.0, "i,ij->", (x, a), 1)
    return a_bar + np.outer(x, x), np.einsum("ij->i", a) + a @ x + a.T @ x

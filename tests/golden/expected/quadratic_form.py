# Derivative of quadratic_form (arrays.py:57), written by autodiff.

import numpy as np
from autodiff.runtime import adjoint_of, einsum_adjoint


def quadratic_form_grad(a, x):
    """Gradient of quadratic_form (arrays.py:57) with respect to a, x."""
    # Reverse sweep
    # return x @ (a @ x) + np.einsum("i,ij->", x, a)
    adjoints = [einsum_adjoint(1.0, "i,ij->", (x, a), k) for k in range(2)]
    x_bar = adjoints[0]
    a_bar = adjoints[1]
    x_bar = x_bar + a @ x
    return adjoint_of(a_bar + np.outer(x, x), a), adjoint_of(x_bar + a.T @ x, x)

# Derivative of quadratic_form (arrays.py:65), written by autodiff.

import numpy as np
from autodiff.runtime import einsum_adjoint, einsum_listed_adjoint


def quadratic_form_grad(a, x):
    """Gradient of quadratic_form (arrays.py:65) with respect to a, x."""
    # Reverse sweep
    # return x @ (a @ x) + np.einsum("i,ij->", x, a)
    adjoints = (
        [einsum_adjoint(1.0, "i,ij->", (x, a), k) for k in range(2)]
        if isinstance("i,ij->", str)
        else [einsum_listed_adjoint(1.0, "i,ij->", (x, a), k) for k in range(2)]
    )
    a_bar = np.full_like(a, adjoints[1] + np.outer(x, x))
    return a_bar, np.full_like(x, adjoints[0] + a @ x + a.T @ x)

# Derivative of low_rank_penalty (spectral.py:39), written by autodiff.

import numpy as np
from autodiff.runtime import svdvals_adjoint


def low_rank_penalty_grad(x):
    """Gradient of low_rank_penalty (spectral.py:39) with respect to x."""
    # Forward sweep
    singular = np.linalg.svd(x, compute_uv=False)

    # Reverse sweep
    return svdvals_adjoint(1.0 / (1.0 + singular), x)

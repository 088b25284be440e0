# Derivative of special_functions (library.py:17), written by autodiff.

import numpy as np
from scipy import special


def special_functions_grad(x):
    """Gradient of special_functions (library.py:17) with respect to x."""
    # Forward sweep
    expit_x = special.expit(x)
    logsumexp_x = special.logsumexp(x)

    # Reverse sweep
    # return np.sum(special.gammaln(x) * special.expit(x)) + special.logsumexp(x)
    share = np.exp(x - (0.0 if logsumexp_x == -np.inf else logsumexp_x))
    x_bar = share + special.gammaln(x) * expit_x * (1 - expit_x)
    return x_bar + expit_x * special.psi(x)

# Derivative of complex_modulus (straight.py:69), written by autodiff.

import numpy as np
from autodiff.runtime import phase


def complex_modulus_grad(z, c):
    """Gradient of complex_modulus (straight.py:69) with respect to z."""
    # Forward sweep
    w = z * z + c

    # Reverse sweep
    # return w.real**2 + abs(w) * np.conj(w).imag
    w_bar = np.conj(1j * abs(w)) + (np.conj(w).imag * phase(w) + 2 * w.real)
    return complex(2.0 * w_bar * np.conj(z))

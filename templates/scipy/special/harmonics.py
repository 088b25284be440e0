"""Spherical harmonics, in their angles.

dP_n^m / dtheta by the neighbours m + 1 and m - 1 is regular at the poles. Source: Bosch, On the
computation of derivatives of Legendre functions (2000).
"""

import numpy as np
from scipy import special

from autodiff.rules import d, elementwise

if hasattr(special, "sph_harm_y"):  # SciPy 1.15

    @elementwise(special.sph_harm_y)
    def sph_harm_y(y, n, m, theta, phi):
        """0 for orders beyond the degree, which those of the neighbours may be."""
        to_higher = np.sqrt(np.maximum((n - m) * (n + m + 1), 0))
        to_lower = np.sqrt(np.maximum((n + m) * (n - m + 1), 0))
        higher = to_higher * special.sph_harm_y(n, m + 1, theta, phi)
        lower = to_lower * special.sph_harm_y(n, m - 1, theta, phi)
        d[theta] = d[y] * (np.exp(-1j * phi) * higher - np.exp(1j * phi) * lower) / 2
        d[phi] = d[y] * 1j * m * y

# Derivative of filtered_image (spectral.py:26), written by autodiff.

import numpy as np
from autodiff.runtime import adjoint_of


def filtered_image_grad(image):
    """Gradient of filtered_image (spectral.py:26) with respect to image."""
    # Forward sweep
    low = np.real(np.fft.fft2(image, norm="ortho"))

    # Reverse sweep
    # low = np.real(np.fft.fft2(image, norm="ortho"))
    back = np.fft.ifft2(3 * low**2, axes=(-2, -1), norm="ortho")
    return adjoint_of(back.real, image)

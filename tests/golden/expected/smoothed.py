# Derivative of smoothed (spectral.py:18), written by autodiff.

import numpy as np
from autodiff.runtime import adjoint_of, frequency_counts, resized, unbroadcast


def smoothed_grad(x, kernel):
    """Gradient of smoothed (spectral.py:18) with respect to x, kernel."""
    # Forward sweep
    n = len(x)
    rfft_x = np.fft.rfft(x)
    rfft_kernel = np.fft.rfft(kernel, n)
    product = rfft_x * rfft_kernel
    y = np.fft.irfft(product, n)

    # Reverse sweep
    # y = np.fft.irfft(np.fft.rfft(x) * np.fft.rfft(kernel, n), n)
    counts = frequency_counts(y.shape[0], 1, -1)
    back = counts * np.fft.rfft(2 * y, axis=-1, norm="forward")
    product_bar = resized(back, like=product)
    rfft_x_bar = unbroadcast(product_bar * np.conj(rfft_kernel), rfft_x)
    rfft_kernel_bar = unbroadcast(product_bar * np.conj(rfft_x), rfft_kernel)
    quotient = rfft_kernel_bar / frequency_counts(n, 1, -1)
    back = np.fft.irfft(quotient, n, -1, "forward")
    quotient = rfft_x_bar / frequency_counts(x.shape[0], 1, -1)
    back_2 = np.fft.irfft(quotient, x.shape[0], -1, "forward")
    return adjoint_of(back_2, x), adjoint_of(resized(back, like=kernel), kernel)

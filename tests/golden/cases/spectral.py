"""Fourier transforms and factorizations."""

import numpy as np

from tests.golden.case import case

SIGNAL = np.array([0.5, -0.2, 1.5, 0.3, -0.7])
MATRIX = np.array([[2.0, 0.3, -0.4], [0.1, 1.5, 0.2], [0.6, -0.3, 1.2]])


@case(SIGNAL, np.array([1.0, 0.5, 0.2]))
def spectral_power(x, gain):
    """Of a filtered signal, by the energies of its frequencies."""
    spectrum = np.fft.rfft(x)
    return np.sum(gain * np.abs(spectrum) ** 2)


@case(SIGNAL, np.array([0.4, 0.3, 0.1]), wrt=(0, 1))
def smoothed(x, kernel):
    """A circular convolution."""
    n = len(x)
    y = np.fft.irfft(np.fft.rfft(x) * np.fft.rfft(kernel, n), n)
    return np.sum(y**2)


@case(MATRIX)
def filtered_image(image):
    low = np.real(np.fft.fft2(image, norm="ortho"))
    return np.sum(low**3)


@case(MATRIX, np.array([1.0, 2.0, -1.0]), wrt=(0, 1))
def gaussian(factor, x):
    """The logarithm of a normal density with the covariance `factor @ factor.T`."""
    covariance = factor @ factor.T
    return -0.5 * x @ np.linalg.solve(covariance, x) - 0.5 * np.linalg.slogdet(covariance)[1]


@case(MATRIX)
def low_rank_penalty(x):
    singular = np.linalg.svd(x, compute_uv=False)
    return np.sum(np.log(1.0 + singular))


@case(MATRIX)
def principal(x):
    values, vectors = np.linalg.eigh(x @ x.T)
    return values[-1] + vectors[0, -1] ** 2

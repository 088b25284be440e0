# Derivative of spectral_power (spectral.py:11), written by autodiff.

import numpy as np
from autodiff.runtime import adjoint_of, frequency_counts, phase, unbroadcast


def spectral_power_grad(x, gain):
    """Gradient of spectral_power (spectral.py:11) with respect to x."""
    # Forward sweep
    spectrum = np.fft.rfft(x)
    abs_spectrum = np.abs(spectrum)

    # Reverse sweep
    # return np.sum(gain * np.abs(spectrum) ** 2)
    abs_spectrum_bar = unbroadcast(gain, abs_spectrum**2) * (2 * abs_spectrum)
    spectrum_bar = abs_spectrum_bar * phase(spectrum)
    # spectrum = np.fft.rfft(x)
    quotient = spectrum_bar / frequency_counts(x.shape[0], 1, -1)
    back = np.fft.irfft(quotient, x.shape[0], -1, "forward")
    return adjoint_of(back, x)

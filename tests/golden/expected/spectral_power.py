# Derivative of spectral_power (spectral.py:11), written by autodiff.

import numpy as np
from autodiff.runtime import frequency_counts, phase, unbroadcast


def spectral_power_grad(x, gain):
    """Gradient of spectral_power (spectral.py:11) with respect to x."""
    # Forward sweep
    spectrum = np.fft.rfft(x)
    abs_spectrum = np.abs(spectrum)

    # Reverse sweep
    # return np.sum(gain * np.abs(spectrum) ** 2)
    abs_spectrum_pow_2_bar = unbroadcast(gain, abs_spectrum)
    spectrum_bar = abs_spectrum_pow_2_bar * (2 * abs_spectrum) * phase(spectrum)
    # spectrum = np.fft.rfft(x)
    length = x.shape[-1]
    back = np.fft.irfft(spectrum_bar / frequency_counts(length, 1, -1), length, -1, "forward")
    return back

"""Waveforms, and what counts samples."""

from __future__ import annotations

import inspect

import numpy as np
from scipy import signal

from autodiff.rules import d, elementwise, nondifferentiable, registry


@elementwise(signal.sawtooth)
def sawtooth(y, t, width=1):
    """In the slopes, not at the corners; `width` of 0 and 1 leaves one slope."""
    phase = t % (2 * np.pi)
    rises = phase < 2 * np.pi * width
    one = np.ones_like(y)
    up = np.where(rises, width, one)
    down = np.where(rises, one, 1 - width)
    given = (width >= 0) & (width <= 1)
    slope = np.where(rises, 1 / (np.pi * up), -1 / (np.pi * down))
    shift = np.where(rises, -phase / (np.pi * up**2), (2 * np.pi - phase) / (np.pi * down**2))
    d[t] = d[y] * np.where(given, slope, np.nan)
    d[width] = d[y] * np.where(given, shift, np.nan)


nondifferentiable(
    signal.square,
    signal.check_COLA,
    signal.check_NOLA,
    signal.choose_conv_method,
    signal.correlation_lags,
    signal.findfreqs,  # powers of ten
)


def get_window(window, Nx, fftbins=True, *, xp, device=None):
    """What SciPy calls with the library of its arrays, which is NumPy."""
    return signal.get_window(window, Nx, fftbins)


if "xp" in inspect.signature(signal.get_window).parameters:  # SciPy 1.16
    registry.add_written({signal.get_window: get_window})

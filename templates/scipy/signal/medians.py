"""Median filters, which take what is around a signal for zero: those of `scipy.ndimage`."""

from __future__ import annotations

import numpy as np
from scipy import ndimage, signal

from autodiff.rules import registry


def medfilt(volume, kernel_size=None):
    x = np.asarray(volume)
    size = 3 if kernel_size is None else kernel_size
    if np.any(np.mod(size, 2) != 1):
        raise ValueError("a window of even length has no middle")
    return ndimage.median_filter(x, size, mode="constant")


def medfilt2d(input, kernel_size=3):
    return medfilt(input, kernel_size)


registry.add_written({signal.medfilt: medfilt, signal.medfilt2d: medfilt2d})

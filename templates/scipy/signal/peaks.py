"""Peaks: where they are has no derivative; how far they stand out and how wide they are has.

What SciPy has in C is written out; `find_peaks`, `peak_prominences`, `peak_widths` call it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import signal
from scipy.signal import _peak_finding_utils as utils

from autodiff.rules import nondifferentiable, registry


def bases(x: Any, peaks: Any, wlen: Any) -> Any:
    """On both sides the lowest place before a higher peak."""
    return utils._peak_prominences(x, peaks, wlen)[1:]


def crossings(x: Any, peaks: Any, rel_height: Any, prominences: Any, left: Any, right: Any) -> Any:
    """On both sides the first place that is not above the height."""
    found = utils._peak_widths(x, peaks, rel_height, prominences, left, right)
    return np.floor(found[2]).astype(np.intp), np.ceil(found[3]).astype(np.intp)


nondifferentiable(bases, crossings)


def peak_prominences(x, peaks, wlen):
    left, right = bases(x, peaks, wlen)
    return x[peaks] - np.maximum(x[left], x[right]), left, right


def peak_widths(x, peaks, rel_height, prominences, left_bases, right_bases):
    height = x[peaks] - prominences * rel_height
    left, right = crossings(x, peaks, rel_height, prominences, left_bases, right_bases)
    rise = np.where(x[left] < height, x[np.minimum(left + 1, len(x) - 1)] - x[left], 1.0)
    fall = np.where(x[right] < height, x[right - 1] - x[right], 1.0)
    start = left + np.where(x[left] < height, (height - x[left]) / rise, 0.0)
    end = right - np.where(x[right] < height, (height - x[right]) / fall, 0.0)
    return end - start, height, start, end


nondifferentiable(
    signal.argrelextrema,
    signal.argrelmax,
    signal.argrelmin,
    signal.find_peaks_cwt,
)
registry.add_written({utils._peak_prominences: peak_prominences, utils._peak_widths: peak_widths})

"""Derivative rules of scipy.signal; most of it is followed through SciPy's own source."""

from autodiff.templates.scipy.signal import (
    convolutions,
    medians,
    multirate,
    peaks,
    recursive,
    sections,
    spectra,
    spline_filters,
    state_spaces,
    waveforms,
)

__all__ = [
    "convolutions",
    "medians",
    "multirate",
    "peaks",
    "recursive",
    "sections",
    "spectra",
    "spline_filters",
    "state_spaces",
    "waveforms",
]

"""Transforms of Hermitian arrays along several axes: those of real ones the other way round."""

from __future__ import annotations

import numpy as np
from scipy import fft

from autodiff.rules import registry


def hfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None):
    if norm == "ortho":
        return fft.irfftn(np.conj(x), s, axes, "ortho")
    if norm == "forward":
        return fft.irfftn(np.conj(x), s, axes, "backward")
    return fft.irfftn(np.conj(x), s, axes, "forward")


def ihfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None):
    if norm == "ortho":
        return np.conj(fft.rfftn(x, s, axes, "ortho"))
    if norm == "forward":
        return np.conj(fft.rfftn(x, s, axes, "backward"))
    return np.conj(fft.rfftn(x, s, axes, "forward"))


def hfft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None):
    return hfftn(x, s, axes, norm)


def ihfft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None):
    return ihfftn(x, s, axes, norm)


registry.add_written({fft.hfftn: hfftn, fft.ihfftn: ihfftn, fft.hfft2: hfft2, fft.ihfft2: ihfft2})

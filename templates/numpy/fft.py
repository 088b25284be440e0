"""Discrete Fourier transforms: the adjoint of each is the inverse with the scale of the other."""

import numpy as np

from autodiff.rules import d, linear, registry
from autodiff.runtime import (
    frequency_counts,
    irfftn_adjoint,
    resized,
    rfftn_adjoint,
)


@linear(np.fft.fft)
def fft(y, a, n=None, axis=-1, norm=None):
    scale = "ortho" if norm == "ortho" else "backward" if norm == "forward" else "forward"
    back = np.fft.ifft(d[y], axis=axis, norm=scale)
    d[a] = back if n is None else resized(back, like=a)


@linear(np.fft.ifft)
def ifft(y, a, n=None, axis=-1, norm=None):
    scale = "ortho" if norm == "ortho" else "backward" if norm == "forward" else "forward"
    back = np.fft.fft(d[y], axis=axis, norm=scale)
    d[a] = back if n is None else resized(back, like=a)


@linear(np.fft.rfft)
def rfft(y, a, n=None, axis=-1, norm=None):
    scale = "ortho" if norm == "ortho" else "backward" if norm == "forward" else "forward"
    length = np.shape(a)[axis] if n is None else n
    back = np.fft.irfft(d[y] / frequency_counts(length, np.ndim(y), axis), length, axis, scale)
    d[a] = back if n is None else resized(back, like=a)


@linear(np.fft.irfft)
def irfft(y, a, n=None, axis=-1, norm=None):
    scale = "ortho" if norm == "ortho" else "backward" if norm == "forward" else "forward"
    counts = frequency_counts(np.shape(y)[axis], np.ndim(y), axis)
    back = counts * np.fft.rfft(d[y], axis=axis, norm=scale)
    d[a] = back if n is None else resized(back, like=a)


@linear(np.fft.hfft)
def hfft(y, a, n=None, axis=-1, norm=None):
    scale = "ortho" if norm == "ortho" else "backward" if norm == "forward" else "forward"
    counts = frequency_counts(np.shape(y)[axis], np.ndim(y), axis)
    back = counts * np.fft.ihfft(d[y], axis=axis, norm=scale)
    d[a] = back if n is None else resized(back, like=a)


@linear(np.fft.ihfft)
def ihfft(y, a, n=None, axis=-1, norm=None):
    scale = "ortho" if norm == "ortho" else "backward" if norm == "forward" else "forward"
    length = np.shape(a)[axis] if n is None else n
    back = np.fft.hfft(d[y] / frequency_counts(length, np.ndim(y), axis), length, axis, scale)
    d[a] = back if n is None else resized(back, like=a)


@linear(np.fft.fft2)
def fft2(y, a, s=None, axes=(-2, -1), norm=None):
    scale = "ortho" if norm == "ortho" else "backward" if norm == "forward" else "forward"
    back = np.fft.ifft2(d[y], axes=axes, norm=scale)
    d[a] = back if s is None else resized(back, like=a)


@linear(np.fft.ifft2)
def ifft2(y, a, s=None, axes=(-2, -1), norm=None):
    scale = "ortho" if norm == "ortho" else "backward" if norm == "forward" else "forward"
    back = np.fft.fft2(d[y], axes=axes, norm=scale)
    d[a] = back if s is None else resized(back, like=a)


@linear(np.fft.fftn)
def fftn(y, a, s=None, axes=None, norm=None):
    scale = "ortho" if norm == "ortho" else "backward" if norm == "forward" else "forward"
    last = axes if s is None or axes is not None else range(-len(s), 0)
    back = np.fft.ifftn(d[y], axes=last, norm=scale)
    d[a] = back if s is None else resized(back, like=a)


@linear(np.fft.ifftn)
def ifftn(y, a, s=None, axes=None, norm=None):
    scale = "ortho" if norm == "ortho" else "backward" if norm == "forward" else "forward"
    last = axes if s is None or axes is not None else range(-len(s), 0)
    back = np.fft.fftn(d[y], axes=last, norm=scale)
    d[a] = back if s is None else resized(back, like=a)


@linear(np.fft.rfft2)
def rfft2(y, a, s=None, axes=(-2, -1), norm=None):
    d[a] = rfftn_adjoint(d[y], a, s, axes, norm)


@linear(np.fft.irfft2)
def irfft2(y, a, s=None, axes=(-2, -1), norm=None):
    d[a] = irfftn_adjoint(d[y], a, s, axes, norm)


@linear(np.fft.rfftn)
def rfftn(y, a, s=None, axes=None, norm=None):
    d[a] = rfftn_adjoint(d[y], a, s, axes, norm)


@linear(np.fft.irfftn)
def irfftn(y, a, s=None, axes=None, norm=None):
    d[a] = irfftn_adjoint(d[y], a, s, axes, norm)


@linear(np.fft.fftshift)
def fftshift(y, x, axes=None):
    d[x] = np.fft.ifftshift(d[y], axes)


@linear(np.fft.ifftshift)
def ifftshift(y, x, axes=None):
    d[x] = np.fft.fftshift(d[y], axes)


def fftfreq(n, d=1.0, device=None):
    """`np.fft.fftfreq`: whole numbers over the length `n * d`."""
    k = np.arange(n)
    return np.where(2 * k < n, k, k - n) * (1.0 / (n * d))


def rfftfreq(n, d=1.0, device=None):
    """`np.fft.rfftfreq`."""
    return np.arange(n // 2 + 1) * (1.0 / (n * d))


registry.add_pure([np.fft.fftfreq, np.fft.rfftfreq])
registry.add_written({np.fft.fftfreq: fftfreq, np.fft.rfftfreq: rfftfreq})

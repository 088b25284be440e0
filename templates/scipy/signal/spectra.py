"""Spectra of segments of a signal, and the signal that they come from."""

import inspect

import numpy as np
from autodiff.templates.scipy.signal.segments import (
    csd_adjoint,
    istft_adjoint,
    lengthened,
    periodogram_adjoint,
    shortened,
    spectra_of,
    stft_adjoint,
)
from scipy import signal

from autodiff.rules import adjoint, d, linear

_HANN = inspect.signature(signal.welch).parameters["window"].default
"""Its name depends on the version of SciPy."""


@linear(spectra_of)
def spectra_again(
    y, x, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, axis, scaling
):
    d[x] = stft_adjoint(
        d[y],
        x,
        fs,
        window,
        nperseg,
        noverlap,
        nfft,
        detrend,
        return_onesided,
        None,
        False,
        axis,
        scaling,
    )


@linear(lengthened)
def lengthened_again(y, x, n, axis):
    d[x] = shortened(d[y], np.shape(x)[axis], axis)


@linear(shortened)
def shortened_again(y, x, n, axis):
    d[x] = lengthened(d[y], np.shape(x)[axis], axis)


@linear(stft_adjoint)
def stft_adjoint_again(
    y, g, x, fs, window, nperseg, noverlap, nfft, detrend, sided, boundary, padded, axis, scaling
):
    d[g] = signal.stft(
        d[y], fs, window, nperseg, noverlap, nfft, detrend, sided, boundary, padded, axis, scaling
    )[2]
    d[x] = 0.0


@linear(istft_adjoint)
def istft_adjoint_again(
    y, g, Zxx, fs, window, nperseg, noverlap, nfft, sided, boundary, time, frequency, scaling
):
    d[g] = signal.istft(
        d[y], fs, window, nperseg, noverlap, nfft, sided, boundary, time, frequency, scaling
    )[1]
    d[Zxx] = 0.0


@adjoint(signal.stft)
def stft(
    y,
    x,
    fs=1.0,
    window=_HANN,
    nperseg=256,
    noverlap=None,
    nfft=None,
    detrend=False,
    return_onesided=True,
    boundary="zeros",
    padded=True,
    axis=-1,
    scaling="spectrum",
):
    sided = return_onesided and np.isrealobj(x)
    d[x] = stft_adjoint(
        d[y][2],
        x,
        fs,
        window,
        nperseg,
        noverlap,
        nfft,
        detrend,
        sided,
        boundary,
        padded,
        axis,
        scaling,
    )


@adjoint(signal.istft)
def istft(
    y,
    Zxx,
    fs=1.0,
    window=_HANN,
    nperseg=None,
    noverlap=None,
    nfft=None,
    input_onesided=True,
    boundary=True,
    time_axis=-1,
    freq_axis=-2,
    scaling="spectrum",
):
    d[Zxx] = istft_adjoint(
        d[y][1],
        Zxx,
        fs,
        window,
        nperseg,
        noverlap,
        nfft,
        input_onesided,
        boundary,
        time_axis,
        freq_axis,
        scaling,
    )


@adjoint(signal.csd)
def csd(
    z,
    x,
    y,
    fs=1.0,
    window=_HANN,
    nperseg=None,
    noverlap=None,
    nfft=None,
    detrend="constant",
    return_onesided=True,
    scaling="density",
    axis=-1,
    average="mean",
):
    given = (fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average)
    d[x] = csd_adjoint(d[z][1], x, y, True, *given)
    d[y] = csd_adjoint(d[z][1], x, y, False, *given)


@adjoint(signal.welch)
def welch(
    y,
    x,
    fs=1.0,
    window=_HANN,
    nperseg=None,
    noverlap=None,
    nfft=None,
    detrend="constant",
    return_onesided=True,
    scaling="density",
    axis=-1,
    average="mean",
):
    given = (fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average)
    d[x] = 2.0 * csd_adjoint(d[y][1], x, x, True, *given)


@adjoint(signal.periodogram)
def periodogram(
    y,
    x,
    fs=1.0,
    window="boxcar",
    nfft=None,
    detrend="constant",
    return_onesided=True,
    scaling="density",
    axis=-1,
):
    d[x] = periodogram_adjoint(
        d[y][1], x, fs, window, nfft, detrend, return_onesided, scaling, axis
    )

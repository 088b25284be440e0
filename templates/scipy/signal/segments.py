"""Adjoints of the spectra of a signal's segments, and of the signal that is made of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import signal

from autodiff.rules import nondifferentiable, registry
from autodiff.runtime import conj, quantile_adjoint, unbroadcast


def segments(
    n: int, window: Any, nperseg: int | None, noverlap: int | None, nfft: int | None
) -> tuple[Any, int, int, int]:
    """The window, its length, the step and the length of the transform for `n` samples."""
    if isinstance(window, (str, tuple)):
        nperseg = min(256 if nperseg is None else int(nperseg), n)
        weights = signal.get_window(window, nperseg)
    else:
        weights = np.asarray(window)
        nperseg = len(weights)
    step = nperseg - (nperseg // 2 if noverlap is None else int(noverlap))
    return weights, nperseg, step, nperseg if nfft is None else int(nfft)


def _check_window(weights: Any, function: str) -> None:
    if np.iscomplexobj(weights):
        raise NotImplementedError(f"scipy.signal.{function}: a complex window has no rule")


def stft_adjoint(
    g: Any,
    x: Any,
    fs: float,
    window: Any,
    nperseg: int | None,
    noverlap: int | None,
    nfft: int | None,
    detrend: Any,
    return_onesided: bool,
    boundary: str | None,
    padded: bool,
    axis: int,
    scaling: str,
) -> Any:
    """The adjoint of `x` when `g` is that of `scipy.signal.stft(x, ...)[2]`."""
    if callable(detrend):
        raise NotImplementedError("scipy.signal: a `detrend` of your own has no derivative rule")
    axis %= np.ndim(x)
    n = np.shape(x)[axis]
    weights, nperseg, step, nfft = segments(n, window, nperseg, noverlap, nfft)
    each = np.moveaxis(g, (axis, -1), (-1, -2))
    size = fs * np.sum(weights * weights) if scaling == "psd" else np.sum(weights) ** 2
    each = np.fft.ifft(each, nfft)[..., :nperseg] * (nfft * conj(weights * np.sqrt(1 / size)))
    each = each if np.iscomplexobj(x) else each.real
    if detrend:
        each = signal.detrend(each, type=detrend)
    before = nperseg // 2 if boundary is not None else 0
    count = each.shape[-2]
    whole = np.zeros((*each.shape[:-2], max(n + 2 * before, (count - 1) * step + nperseg)))
    whole = whole.astype(each.dtype)
    for k in range(count):
        whole[..., k * step : k * step + nperseg] += each[..., k, :]
    found = _without_boundary(whole, n, before, boundary)
    return np.moveaxis(found, -1, axis).astype(np.result_type(x))


def _without_boundary(g: Any, n: int, before: int, boundary: str | None) -> Any:
    """The adjoint of `n` samples when `g` is that of what they were extended to at both ends."""
    inner = g[..., before : before + n].copy()
    first, last = g[..., :before], g[..., before + n : before + n + before]
    if before and boundary in ("odd", "constant"):
        share = 2 if boundary == "odd" else 1
        inner[..., 0] += share * np.sum(first, axis=-1)
        inner[..., -1] += share * np.sum(last, axis=-1)
    if before and boundary in ("odd", "even"):
        sign = -1 if boundary == "odd" else 1
        inner[..., 1 : before + 1] += sign * first[..., ::-1]
        inner[..., n - 1 - before : n - 1] += sign * last[..., ::-1]
    return inner


def istft_adjoint(
    g: Any,
    Zxx: Any,
    fs: float,
    window: Any,
    nperseg: int | None,
    noverlap: int | None,
    nfft: int | None,
    input_onesided: bool,
    boundary: bool,
    time_axis: int,
    freq_axis: int,
    scaling: str,
) -> Any:
    """The adjoint of `Zxx` when `g` is that of `scipy.signal.istft(Zxx, ...)[1]`."""
    rank = np.ndim(Zxx)
    time, frequency = time_axis % rank, freq_axis % rank
    count, rows = np.shape(Zxx)[time], np.shape(Zxx)[frequency]
    default = 2 * (rows - 1) if input_onesided else rows
    nperseg = default if nperseg is None else int(nperseg)
    if nfft is None:
        nfft = nperseg if input_onesided and nperseg == default + 1 else default
    weights, nperseg, step, _ = segments(nperseg, window, nperseg, noverlap, nfft)
    _check_window(weights, "istft")
    g = np.moveaxis(g, time - (frequency < time), -1)
    before = nperseg // 2 if boundary else 0
    total = nperseg + (count - 1) * step
    norm = np.zeros(total)
    for k in range(count):
        norm[k * step : k * step + nperseg] += weights**2
    whole = np.zeros((*g.shape[:-1], total), g.dtype)
    inside = slice(before, total - before)
    whole[..., inside] = g / np.where(norm > 1e-10, norm, 1.0)[inside]
    size = np.sqrt(fs * np.sum(weights**2)) if scaling == "psd" else np.sum(weights)
    each = np.stack([whole[..., k * step : k * step + nperseg] for k in range(count)], -2)
    each = each * (weights * size / nfft)
    if input_onesided:
        spectra = np.fft.rfft(each, nfft)
        spectra[..., 1 : (nfft + 1) // 2] *= 2  # which stand for two
    else:
        spectra = np.fft.fft(each, nfft)
    used = spectra[..., :rows]
    missing = np.zeros((*used.shape[:-1], rows - used.shape[-1]), used.dtype)
    result = np.moveaxis(np.concatenate([used, missing], -1), (-1, -2), (frequency, time))
    return result if np.iscomplexobj(Zxx) else result.real


def spectra_of(
    x: Any,
    fs: float,
    window: Any,
    nperseg: int,
    noverlap: int,
    nfft: int,
    detrend: Any,
    return_onesided: bool,
    axis: int,
    scaling: str,
) -> Any:
    """The spectra of segments of `x` as it is, without more at its ends."""
    given = (fs, window, nperseg, noverlap, nfft, detrend, return_onesided, None, False)
    return signal.stft(x, *given, axis, scaling)[2]


def counted(rows: int, nfft: int, sided: bool, axis: int) -> Any:
    """How often each frequency counts, to be broadcast against spectra."""
    twice = np.full(rows, 2.0 if sided else 1.0)
    twice[0] = 1.0
    if nfft % 2 == 0:
        twice[nfft // 2 : nfft // 2 + 1] = 1.0
    return np.reshape(twice, (-1, *(1,) * -axis))


def csd_adjoint(
    g: Any,
    x: Any,
    y: Any,
    first: bool,
    fs: float,
    window: Any,
    nperseg: int | None,
    noverlap: int | None,
    nfft: int | None,
    detrend: Any,
    return_onesided: bool,
    scaling: str,
    axis: int,
    average: str,
) -> Any:
    """The adjoint of `x` if `first`, else of `y`, when `g` is that of
    `scipy.signal.csd(x, y, ...)[1]`: of conj(X) Y, averaged over the segments.
    """
    rank = max(np.ndim(x), np.ndim(y))
    axis = axis % rank - rank
    n = max(np.shape(x)[axis], np.shape(y)[axis])
    xs, ys = lengthened(x, n, axis), lengthened(y, n, axis)
    weights, nperseg, step, nfft = segments(n, window, nperseg, noverlap, nfft)
    _check_window(weights, "csd")
    sided = return_onesided and np.isrealobj(x) and np.isrealobj(y)
    own = "psd" if scaling == "density" else "spectrum"
    given = (fs, weights, nperseg, nperseg - step, nfft, detrend)
    one = spectra_of(xs, *given, sided, axis, own)
    two = spectra_of(ys, *given, sided, axis, own)
    twice = counted(np.shape(one)[axis - 1], nfft, sided, axis)
    count = np.shape(one)[-1]
    if average == "median" and count > 1:
        products = conj(one) * two
        each = _of_median(g, products, count) * twice
    else:
        each = np.expand_dims(g, -1) * twice / count
    bar = np.conj(each) * two if first else each * one
    like = np.broadcast_to(xs if first else ys, np.broadcast_shapes(np.shape(xs), np.shape(ys)))
    back = stft_adjoint(bar, like, *given, sided, None, False, axis, own)
    like = x if first else y
    return unbroadcast(shortened(back, np.shape(like)[axis], axis), like=like)


def periodogram_adjoint(
    g: Any,
    x: Any,
    fs: float,
    window: Any,
    nfft: int | None,
    detrend: Any,
    return_onesided: bool,
    scaling: str,
    axis: int,
) -> Any:
    """The adjoint of `x` when `g` is that of `scipy.signal.periodogram(x, ...)[1]`."""
    axis = axis % np.ndim(x) - np.ndim(x)
    n = np.shape(x)[axis]
    own = n if nfft is None else min(int(nfft), n)
    used = shortened(x, own, axis)
    kind, size = "boxcar" if window is None else window, own if nfft is None else max(own, nfft)
    back = csd_adjoint(
        g,
        used,
        used,
        True,
        fs,
        kind,
        own,
        0,
        size,
        detrend,
        return_onesided,
        scaling,
        axis,
        "mean",
    )
    return 2.0 * lengthened(back, n, axis)


def lengthened(x: Any, n: int, axis: int) -> Any:
    """`x` with zeros behind it, `n` long: a new array."""
    shape = list(np.shape(x))
    shape[axis] = n - shape[axis]
    return np.concatenate([x, np.zeros(shape, np.result_type(x))], axis)


def shortened(x: Any, n: int, axis: int) -> Any:
    """The first `n` of `x` along an axis."""
    return np.take(x, np.arange(n), axis)


def _of_median(g: Any, products: Any, count: int) -> Any:
    """The adjoint of the products over the segments when `g` is that of their median, unbiased."""
    pairs = 2.0 * np.arange(1, (count - 1) // 2 + 1)
    bias = 1 + np.sum(1 / (pairs + 1) - 1 / pairs)
    real = quantile_adjoint(np.real(g) / bias, np.real(products), 0.5, -1)
    if np.isrealobj(g):
        return real
    return real + 1j * quantile_adjoint(np.imag(g) / bias, np.imag(products), 0.5, -1)


registry.add_pure((segments,))
registry.add_making((stft_adjoint, istft_adjoint, csd_adjoint, periodogram_adjoint))
registry.add_making((lengthened, shortened, spectra_of, counted))
nondifferentiable(counted)

registry.add_pure([signal.get_window])

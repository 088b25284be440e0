"""Filters in plain Python, which is inlined in place of SciPy's own."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg, signal

from autodiff.rules import nondifferentiable, registry


def analytic_weights(n: Any) -> Any:
    """What the frequencies of an analytic signal are multiplied by: negative ones by 0."""
    weights = np.zeros(n, np.int8)
    weights[1 : (n + 1) // 2] = 2
    weights[0] = 1
    if n % 2 == 0:
        weights[n // 2] = 1
    return weights


def savgol_weights(window_length: Any, polyorder: Any, deriv: Any, dtype: Any) -> Any:
    """For each place in one window, what the values in it count for in the fit there."""
    if window_length % 2 == 0:
        raise NotImplementedError("savgol_filter with an even window_length has no derivative")
    unit = np.eye(window_length)
    return signal.savgol_filter(unit, window_length, polyorder, deriv, 1.0, 0).astype(dtype)


nondifferentiable(analytic_weights, savgol_weights)


def hilbert(x, N=None, axis=-1):
    """`signal.hilbert`."""
    spectrum = np.moveaxis(np.fft.fft(x, N, axis), axis, -1)
    found = np.fft.ifft(spectrum * analytic_weights(np.shape(spectrum)[-1]))
    return np.moveaxis(found, -1, axis)


def lfilter(b, a, x, axis=-1, *, zi):
    """`signal.lfilter` with a state, which goes on for as long as the input would.

    What is left in the filter comes out of it after the input; the state is what gives that.
    """
    if zi is None:
        return signal.lfilter(b, a, x, axis)
    numerator, denominator = np.atleast_1d(b), np.atleast_1d(a)
    own = denominator / denominator[0]
    unit = np.ones_like(own[:1])
    rows, state = np.moveaxis(np.asarray(x), axis, -1), np.moveaxis(np.asarray(zi), axis, -1)
    n, order = np.shape(rows)[-1], max(len(numerator), len(denominator)) - 1
    after = np.zeros((*np.shape(rows)[:-1], order), np.result_type(rows))
    before = np.zeros((*np.shape(state)[:-1], n), np.result_type(state))
    y = signal.lfilter(numerator, denominator, np.concatenate([rows, after], axis=-1))
    y = y + signal.lfilter(unit, own, np.concatenate([state, before], axis=-1))
    if np.shape(y) != (*np.shape(rows)[:-1], n + order) or np.shape(state)[-1] != order:
        raise ValueError(f"a state of shape {np.shape(zi)} does not fit x of shape {np.shape(x)}")
    left = signal.lfilter(own, unit, y[..., n:])
    return np.moveaxis(y[..., :n], -1, axis), np.moveaxis(left, -1, axis)


def savgol_filter(x, window_length, polyorder, deriv=0, delta=1.0, axis=-1):
    """`signal.savgol_filter`: at both ends the polynomial of the first and the last window."""
    rows = np.moveaxis(np.asarray(x), axis, 0)
    fit = savgol_weights(window_length, polyorder, deriv, rows.dtype) / delta**deriv
    half = window_length // 2
    n = len(rows)
    inner = fit[half, 0] * rows[: n - window_length + 1]
    for k in range(1, window_length):
        inner = inner + fit[half, k] * rows[k : n - window_length + 1 + k]
    first = np.tensordot(fit[:half], rows[:window_length], 1)
    last = np.tensordot(fit[half + 1 :], rows[n - window_length :], 1)
    return np.moveaxis(np.concatenate([first, inner, last]), 0, axis)


def steady_state(b, a):
    """`signal.lfilter_zi`."""
    n = max(len(a), len(b))
    numerator = np.concatenate([b, np.zeros(n - len(b))]) / a[0]
    denominator = np.concatenate([a, np.zeros(n - len(a))]) / a[0]
    matrix = np.eye(n - 1) - linalg.companion(denominator).T
    return np.linalg.solve(matrix, numerator[1:] - denominator[1:] * numerator[0])


def from_steady_state(b, a, rows):
    """`signal.lfilter` along the first axis, as if the first row had been there for ever."""
    state = np.multiply.outer(steady_state(b, a), rows[0])
    before = np.concatenate([state, np.zeros((len(rows) - len(state), *np.shape(rows)[1:]))])
    return signal.lfilter(b, a, rows, 0) + signal.lfilter(np.ones(1), a / a[0], before, 0)


def filtfilt(b, a, x, axis=-1):
    """`signal.filtfilt`, its ends continued oddly."""
    rows = np.moveaxis(np.asarray(x), axis, 0)
    numerator, denominator = np.atleast_1d(b), np.atleast_1d(a)
    edge = 3 * max(len(numerator), len(denominator))
    before = 2 * rows[0] - rows[edge:0:-1]
    after = 2 * rows[-1] - rows[-2 : -(edge + 2) : -1]
    longer = np.concatenate([before, rows, after])
    there = from_steady_state(numerator, denominator, longer)
    back = from_steady_state(numerator, denominator, there[::-1])[::-1]
    return np.moveaxis(back[edge : len(back) - edge], 0, axis)


def surrounded(in1, in2, boundary, fillvalue):
    """The first operand with what `boundary` says is around it, as far as the second reaches."""
    rows, columns = np.shape(in2)
    around = ((rows - 1, rows - 1), (columns - 1, columns - 1))
    if boundary in ("wrap", "circular"):
        return np.pad(in1, around, "wrap")
    if boundary in ("symm", "symmetric"):
        return np.pad(in1, around, "symmetric")
    if boundary not in ("fill", "pad"):
        raise ValueError(f"no boundary: {boundary!r}")
    return np.pad(in1, around, constant_values=fillvalue)


def convolve2d(in1, in2, mode="full", *, boundary, fillvalue=0):
    """`signal.convolve2d` with a boundary."""
    if mode not in ("full", "same"):
        return signal.convolve2d(in1, in2, mode)
    y = signal.convolve2d(surrounded(in1, in2, boundary, fillvalue), in2, "valid")
    if mode == "full":
        return y
    rows, columns = np.shape(in1)
    top, left = (np.shape(in2)[0] - 1) // 2, (np.shape(in2)[1] - 1) // 2
    return y[top : top + rows, left : left + columns]


def correlate2d(in1, in2, mode="full", *, boundary, fillvalue=0):
    """`signal.correlate2d` with a boundary."""
    if mode not in ("full", "same"):
        return signal.correlate2d(in1, in2, mode)
    y = signal.correlate2d(surrounded(in1, in2, boundary, fillvalue), in2, "valid")
    if mode == "full":
        return y
    rows, columns = np.shape(in1)
    top, left = np.shape(in2)[0] // 2, np.shape(in2)[1] // 2
    return y[top : top + rows, left : left + columns]


registry.add_written(
    {
        signal.convolve2d: convolve2d,
        signal.correlate2d: correlate2d,
        signal.hilbert: hilbert,
        signal.lfilter: lfilter,
        signal.savgol_filter: savgol_filter,
        signal.lfilter_zi: steady_state,
        signal.filtfilt: filtfilt,
    }
)

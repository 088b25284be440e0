"""Convolutions and filters."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import signal

from autodiff.rules import adjoint, d, linear, multilinear, registry
from autodiff.runtime import conj


def whole(g: Any, in1: Any, in2: Any, mode: str, axes: Any = None, later: bool = False) -> Any:
    """The adjoint of the full convolution over `axes`, when `g` is that of its part for `mode`.

    later: of two middles, "same" is around the second (as in `correlate2d`).
    """
    if mode == "full":
        return g
    shape, place = _placed(np.shape(g), in1, in2, mode, axes, later)
    result = np.zeros(shape, g.dtype)
    result[place] = g
    return result


def part(
    full: Any, g: Any, in1: Any, in2: Any, mode: str, axes: Any = None, later: bool = False
) -> Any:
    """The part, for `mode`, of an array like the full convolution; `g` has its shape."""
    if mode == "full":
        return full
    return full[_placed(np.shape(g), in1, in2, mode, axes, later)[1]]


def _placed(
    of_part: tuple[int, ...], in1: Any, in2: Any, mode: str, axes: Any, later: bool
) -> tuple[list[int], tuple[slice, ...]]:
    """The shape of the full convolution, and where in it the part for `mode` lies."""
    rank = len(of_part)
    along = range(rank) if axes is None else [axis % rank for axis in np.atleast_1d(axes)]
    first, second = np.shape(in1), np.shape(in2)
    swapped = mode == "valid" and any(first[k] < second[k] for k in along)
    if later and swapped and (np.iscomplexobj(in1) or np.iscomplexobj(in2)):
        raise ValueError("correlate2d conjugates the wrong operand where it exchanges them")
    shape, place = list(of_part), [slice(None)] * rank
    for k in along:
        shape[k] = first[k] + second[k] - 1
        other = first[k] if swapped else second[k]
        start = other - 1 if mode == "valid" else (second[k] - (0 if later else 1)) // 2
        place[k] = slice(start, start + of_part[k])
    return shape, tuple(place)


def reversed_conj(x: Any) -> Any:
    """`x` in reverse order along all axes, and conjugated: a correlation's other operand."""
    return conj(np.flip(x))


def fft_correlated(g: Any, other: Any, like: Any, axes: Any) -> Any:
    """The adjoint of one operand of a full `scipy.signal.fftconvolve` when `g` is that of it.

    Along the other axes the operands were broadcast.
    """
    along = None if axes is None else tuple(np.atleast_1d(axes))
    found = signal.fftconvolve(g, conj(np.flip(other, along)), mode="valid", axes=axes)
    over = tuple(k for k in range(found.ndim) if np.shape(like)[k] == 1 and found.shape[k] != 1)
    return np.sum(found, axis=over, keepdims=True) if over else found


def filtered_back(g: Any, b: Any, a: Any, axis: int) -> Any:
    """The adjoint of `x` when `g` is that of `scipy.signal.lfilter(b, a, x, axis)`."""
    back = signal.lfilter(conj(b), conj(a), np.flip(g, axis), axis)
    return np.flip(back, axis)


def coefficients_adjoint(g: Any, delayed: Any, a: Any, count: int, axis: int) -> Any:
    """For each delay up to `count`, how `g`, filtered back through 1/a, goes with `delayed`."""
    g = np.moveaxis(filtered_back(g, np.ones_like(a[:1]), a, axis), axis, -1)
    delayed = conj(np.moveaxis(delayed, axis, -1))
    n = g.shape[-1]
    each = [np.sum(g[..., k:] * delayed[..., : max(n - k, 0)]) for k in range(count)]
    return np.array(each)


registry.add_pure([whole, part, reversed_conj])
registry.add_making([fft_correlated, filtered_back, coefficients_adjoint])


@linear(whole)
def whole_again(y, g, in1, in2, mode, axes=None, later=False):
    d[g] = part(d[y], g, in1, in2, mode, axes, later)
    d[in1] = 0.0
    d[in2] = 0.0


@linear(part)
def part_again(y, full, g, in1, in2, mode, axes=None, later=False):
    d[full] = whole(d[y], in1, in2, mode, axes, later)
    d[g] = 0.0
    d[in1] = 0.0
    d[in2] = 0.0


@multilinear(signal.convolve)
def convolve(y, in1, in2, mode="full", method="auto"):
    g = whole(d[y], in1, in2, mode)
    d[in1] = signal.correlate(g, in2, "valid", method)
    d[in2] = signal.correlate(g, in1, "valid", method)


@multilinear(signal.correlate)
def correlate(y, in1, in2, mode="full", method="auto"):
    g = whole(d[y], in1, in2, mode)
    d[in1] = signal.convolve(g, in2, "valid", method)
    d[in2] = reversed_conj(signal.correlate(g, in1, "valid", method))


@multilinear(signal.convolve2d)
def convolve2d(y, in1, in2, mode="full"):
    g = whole(d[y], in1, in2, mode)
    d[in1] = signal.correlate2d(g, in2, "valid")
    d[in2] = signal.correlate2d(g, in1, "valid")


@multilinear(signal.correlate2d)
def correlate2d(y, in1, in2, mode="full"):
    g = whole(d[y], in1, in2, mode, later=True)
    d[in1] = signal.convolve2d(g, in2, "valid")
    d[in2] = reversed_conj(signal.correlate2d(g, in1, "valid"))


@multilinear(signal.fftconvolve, signal.oaconvolve)
def fftconvolve(y, in1, in2, mode="full", axes=None):
    g = whole(d[y], in1, in2, mode, axes)
    d[in1] = fft_correlated(g, in2, in1, axes)
    d[in2] = fft_correlated(g, in1, in2, axes)


@adjoint(signal.lfilter)
def lfilter(y, b, a, x, axis=-1):
    d[b] = coefficients_adjoint(d[y], x, a, len(b), axis)
    d[a] = -coefficients_adjoint(d[y], y, a, len(a), axis)
    d[x] = filtered_back(d[y], b, a, axis)


@linear(signal.detrend)
def detrend(y, data, axis=-1, type="linear", bp=0):
    """A projection, which is its own adjoint."""
    d[data] = signal.detrend(d[y], axis, type, bp)

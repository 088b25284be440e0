"""Correlations of images with weights, which all linear filters are.

    y[i] = sum of x[i - before + k] * conj(weights[k])

The image goes on behind its ends as NumPy pads it: the adjoint is that of padding.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import ndimage

from autodiff import runtime
from autodiff.rules import adjoint, d, multilinear, nondifferentiable, registry
from autodiff.runtime import conj

PADDED = {
    "reflect": "symmetric",
    "grid-mirror": "symmetric",
    "mirror": "reflect",
    "nearest": "edge",
    "wrap": "wrap",
    "grid-wrap": "wrap",
    "constant": "constant",
    "grid-constant": "constant",
}
"""NumPy's names of what is behind the ends of an image."""


def axes_of(axes, ndim):
    """The axes that a filter is along, counted from 0."""
    if axes is None:
        return tuple(range(ndim))
    return tuple([axis % ndim for axis in (axes if np.ndim(axes) else (axes,))])


def tuple_of(axes):
    """The axes that are given, or the one."""
    return tuple(axes) if np.ndim(axes) else (axes,)


def each_of(value, count):
    """One value for each axis."""
    if np.ndim(value) == 0:
        return [value] * count
    if len(value) != count:
        raise RuntimeError("sequence argument must have length equal to input rank")
    return list(value)


def shifts_of(origin: Any, along: Any, ndim: int) -> tuple[int, ...]:
    """One shift for each axis of the image: 0 for other axes."""
    found = dict(zip(along, [origin] * len(along) if np.ndim(origin) == 0 else origin))
    return tuple(found.get(k, 0) for k in range(ndim))


def turned_back(origin: Any, lengths: Any) -> tuple[int, ...]:
    """The shifts of weights in reverse order."""
    each = [origin] * len(lengths) if np.ndim(origin) == 0 else origin
    return tuple(-own - (0 if n % 2 else 1) for own, n in zip(each, lengths))


nondifferentiable(shifts_of, turned_back)


def kind_of(output):
    """Of which dtype the result is."""
    return output.dtype if isinstance(output, np.ndarray) else output


def into(output, found):
    """What is found, in the memory that is given for it."""
    if isinstance(output, np.ndarray):
        output[...] = found
        return output
    return found


def correlated(
    x: Any, weights: Any, axis: Any, kind: Any, mode: Any, cval: Any = 0.0, origin: Any = 0
) -> Any:
    """Along one axis, or with weights that have all axes of the image."""
    if axis is None:
        return ndimage.correlate(x, weights, kind, mode, cval, origin)
    return ndimage.correlate1d(x, weights, axis, kind, mode, cval, origin)


def averaged(
    x: Any, size: Any, axis: Any, kind: Any, mode: Any, cval: Any = 0.0, origin: Any = 0
) -> Any:
    """With equal weights, of which the sum is 1."""
    return ndimage.uniform_filter1d(x, size, axis, kind, mode, cval, origin)


def around(lengths: Any, ndim: int, axis: Any, origin: Any) -> list[tuple[int, int]]:
    """How much of what is before and behind an image windows of such lengths reach."""
    places: list[Any] = [origin] * len(lengths) if np.ndim(origin) == 0 else [*origin]
    pairs = [(n // 2 + o, n - 1 - n // 2 - o) for n, o in zip(lengths, places)]
    if axis is None:
        return pairs
    return [pairs[0] if k == axis % ndim else (0, 0) for k in range(ndim)]


def uncorrelated(g: Any, weights: Any, like: Any, axis: Any, mode: Any, origin: Any) -> Any:
    """The adjoint of the image `like`, when `g` is that of `correlated`."""
    lengths = np.shape(weights)
    width = around(lengths, np.ndim(g), axis, origin)
    behind = np.pad(g, [(0, before + after) for before, after in width])
    back = tuple((n - 1) // 2 for n in lengths)
    turned = conj(np.flip(np.asarray(weights)))
    where = back if axis is None else back[0]
    full = correlated(behind, turned, axis, None, "constant", 0.0, where)
    full = np.real(full) if np.isrealobj(like) else full
    return runtime.pad_adjoint(full, like, width, PADDED[mode])


def of_weights(x: Any, g: Any, weights: Any, axis: Any, mode: Any, cval: Any, origin: Any) -> Any:
    """The adjoint of the weights, of which only the shape counts, when `g` is that of the image."""
    width = around(np.shape(weights), np.ndim(x), axis, origin)
    named = {"constant_values": cval} if PADDED[mode] == "constant" else {}
    padded = np.pad(x, width, PADDED[mode], **named)  # type: ignore[call-overload]
    found = np.empty([before + after + 1 for before, after in width], np.result_type(padded, g))
    for start in np.ndindex(*found.shape):
        there = tuple(slice(k, k + n) for k, n in zip(start, np.shape(g)))
        found[start] = np.sum(padded[there] * conj(g))
    return np.reshape(found, np.shape(weights))


registry.add_making([correlated, averaged, uncorrelated, of_weights])


@adjoint(correlated)
def correlation(y, x, weights, axis, kind, mode, cval=0.0, origin=0):
    d[x] = uncorrelated(d[y], weights, x, axis, mode, origin)
    d[weights] = of_weights(x, d[y], weights, axis, mode, cval, origin)


@adjoint(averaged)
def average(y, x, size, axis, kind, mode, cval=0.0, origin=0):
    d[x] = uncorrelated(d[y], np.full(size, 1.0 / size), x, axis, mode, origin)


@multilinear(uncorrelated)
def uncorrelated_again(y, g, weights, like, axis, mode, origin):
    d[g] = correlated(d[y], weights, axis, None, mode, 0.0, origin)
    d[weights] = of_weights(d[y], g, weights, axis, mode, 0.0, origin)
    d[like] = 0.0


@adjoint(of_weights)
def of_weights_again(y, x, g, weights, axis, mode, cval, origin):
    d[x] = uncorrelated(g, d[y], x, axis, mode, origin)
    d[g] = correlated(x, d[y], axis, None, mode, cval, origin)
    d[weights] = 0.0


def correlate1d(input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    x, w = np.asarray(input), np.asarray(weights)
    return into(output, correlated(x, w, axis, kind_of(output), mode, cval, origin))


def convolve1d(input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    w = np.conj(np.asarray(weights)[::-1])
    back = -origin if len(w) % 2 else -origin - 1
    return correlate1d(input, w, axis, output, mode, cval, back)


def correlate(input, weights, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    x, w = np.asarray(input), np.asarray(weights)
    along = axes_of(axes, np.ndim(x))
    if len(along) < np.ndim(x):
        w = np.expand_dims(w, tuple([k for k in range(np.ndim(x)) if k not in along]))
    shifts = shifts_of(origin, along, np.ndim(x))
    return into(output, correlated(x, w, None, kind_of(output), mode, cval, shifts))


def convolve(input, weights, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    w = np.conj(np.flip(np.asarray(weights)))
    return correlate(input, w, output, mode, cval, turned_back(origin, np.shape(w)), axes=axes)


def uniform_filter1d(input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    x = np.asarray(input)
    return into(output, averaged(x, size, axis, kind_of(output), mode, cval, origin))


def uniform_filter(input, size=3, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    x, kind = np.asarray(input), kind_of(output)
    along = tuple(range(np.ndim(x))) if axes is None else tuple_of(axes)
    n = len(along)
    sizes, origins, modes = each_of(size, n), each_of(origin, n), each_of(mode, n)
    y = np.array(x, dtype=kind)
    for k in range(n):
        if sizes[k] > 1:
            y = averaged(x, int(sizes[k]), along[k], kind, modes[k], cval, origins[k])
            x = y
    return into(output, y)


registry.add_written(
    {
        ndimage.correlate1d: correlate1d,
        ndimage.convolve1d: convolve1d,
        ndimage.correlate: correlate,
        ndimage.convolve: convolve,
        ndimage.uniform_filter1d: uniform_filter1d,
        ndimage.uniform_filter: uniform_filter,
    }
)

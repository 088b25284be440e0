"""Filters that choose: the smallest, the largest, the middle of each window.

The adjoint goes to the elements that are equal to what was chosen, in equal shares.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from autodiff.templates.scipy.ndimage.filters import PADDED, around, axes_of, into, kind_of
from scipy import ndimage

from autodiff.rules import adjoint, d, linear, registry
from autodiff.rules.taking import refused
from autodiff.runtime import pad_adjoint


def chosen(
    x: Any,
    name: Any,
    window: Any,
    kind: Any,
    mode: Any,
    cval: Any = 0.0,
    origin: Any = 0,
    axes: Any = None,
) -> Any:
    """What one of SciPy's functions gives. window: what it is called with before the dtype."""
    function = getattr(ndimage, name)
    if name.endswith("1d"):
        return function(x, window[0], axes, kind, mode, cval, origin)
    named = {} if axes is None else {"axes": axes}
    return function(x, *window, kind, mode, cval, origin, **named)


def _windows(x: Any, y: Any, name: Any, window: Any, mode: Any, origin: Any, axes: Any) -> Any:
    """How far windows reach, how the image continues, and where in the windows elements are."""
    ndim = np.ndim(x)
    along = axes_of(axes, ndim)
    size, footprint = (window[0], None) if name.endswith("1d") else window[-2:]
    if footprint is None:
        footprint = np.ones(np.broadcast_to(size, (len(along),)), bool)
    footprint = np.asarray(footprint, bool)
    if len(along) < ndim:
        footprint = np.expand_dims(footprint, [k for k in range(ndim) if k not in along])
    shifts = dict(zip(along, np.broadcast_to(origin, (len(along),)).tolist()))
    width = around(footprint.shape, ndim, None, [shifts.get(k, 0) for k in range(ndim)])
    modes = {axis: mode if isinstance(mode, str) else mode[k] for k, axis in enumerate(along)}
    steps = [
        (PADDED[modes.get(k, "constant")], [pair if k == axis else (0, 0) for axis in range(ndim)])
        for k, pair in enumerate(width)
    ]
    starts = zip(*np.nonzero(footprint))
    places = [tuple(slice(k, k + n) for k, n in zip(each, np.shape(y))) for each in starts]
    return steps, places


def _continued(x: Any, steps: Any, cval: Any) -> Any:
    for mode, width in steps:
        named = {"constant_values": cval} if mode == "constant" else {}
        x = np.pad(x, width, mode, **named)
    return x


def _hits(x: Any, y: Any, steps: Any, places: Any, cval: Any) -> tuple[Any, Any]:
    """Where in its window each element was chosen, and the share that this has."""
    every = _continued(np.asarray(x).astype(y.dtype, copy=False), steps, cval)
    hits = [every[place] == y for place in places]
    return hits, 1 / np.maximum(sum(hit.astype(y.dtype) for hit in hits), 1)


def shared(
    g: Any, y: Any, x: Any, name: Any, window: Any, mode: Any, cval: Any, origin: Any, axes: Any
) -> Any:
    """The adjoint of the image, when `g` is that of `chosen`, which is `y`."""
    steps, places = _windows(x, y, name, window, mode, origin, axes)
    hits, share = _hits(x, y, steps, places, cval)
    shapes = [np.shape(x)]
    for _, width in steps:
        shapes.append(tuple(n + sum(pair) for n, pair in zip(shapes[-1], width)))
    found = np.zeros(shapes[-1], g.dtype)
    for hit, place in zip(hits, places):
        found[place] += np.where(hit, g * share, 0)
    for (mode, width), shape in zip(reversed(steps), reversed(shapes[:-1])):
        found = pad_adjoint(found, np.empty(shape, g.dtype), width, mode)
    return found


def gathered(
    v: Any, y: Any, x: Any, name: Any, window: Any, mode: Any, cval: Any, origin: Any, axes: Any
) -> Any:
    """How `chosen` changes when the image changes by `v`."""
    steps, places = _windows(x, y, name, window, mode, origin, axes)
    hits, share = _hits(x, y, steps, places, cval)
    every = _continued(v, steps, 0)
    return sum(np.where(hit, every[place] * share, 0) for hit, place in zip(hits, places))


registry.add_making([chosen, shared, gathered])


@adjoint(chosen)
def choice(y, x, name, window, kind, mode, cval=0.0, origin=0, axes=None):
    d[x] = shared(d[y], y, x, name, window, mode, cval, origin, axes)


@linear(shared)
def choice_again(z, g, y, x, name, window, mode, cval, origin, axes):
    d[g] = gathered(d[z], y, x, name, window, mode, cval, origin, axes)
    d[y] = 0.0
    d[x] = 0.0


@linear(gathered)
def choice_of_changes(z, v, y, x, name, window, mode, cval, origin, axes):
    d[v] = shared(d[z], y, x, name, window, mode, cval, origin, axes)
    d[y] = 0.0
    d[x] = 0.0


def minimum_filter1d(input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    x, kind = np.asarray(input), kind_of(output)
    return into(output, chosen(x, "minimum_filter1d", (size,), kind, mode, cval, origin, axis))


def maximum_filter1d(input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    x, kind = np.asarray(input), kind_of(output)
    return into(output, chosen(x, "maximum_filter1d", (size,), kind, mode, cval, origin, axis))


def of_name(name):
    """What stands for a filter that takes a size or a footprint."""

    def call(
        input,
        size=None,
        footprint=None,
        output=None,
        mode="reflect",
        cval=0.0,
        origin=0,
        *,
        axes=None,
    ):
        x, window = np.asarray(input), (size, footprint)
        return into(output, chosen(x, name, window, kind_of(output), mode, cval, origin, axes))

    return call


def of_amount(name):
    """What stands for a filter that takes a rank, or a percentile, before these."""

    def call(
        input,
        amount,
        size=None,
        footprint=None,
        output=None,
        mode="reflect",
        cval=0.0,
        origin=0,
        *,
        axes=None,
    ):
        x, window = np.asarray(input), (amount, size, footprint)
        return into(output, chosen(x, name, window, kind_of(output), mode, cval, origin, axes))

    return call


def refusing(name, cure):
    """What refuses a function, which mostly calls another one for each element."""

    def call(input, *args, **kwargs):
        refused(f"ndimage.{name}", "no rule says what its parts are", cure)

    return call


_CURES = {
    "generic_filter": "apply the function to np.lib.stride_tricks.sliding_window_view(...)",
    "generic_filter1d": "apply the function to np.lib.stride_tricks.sliding_window_view(...)",
    "vectorized_filter": "apply the function to np.lib.stride_tricks.sliding_window_view(...)",
    "generic_laplace": "add the derivatives along each axis",
    "generic_gradient_magnitude": "add the squares of the derivatives along each axis",
    "geometric_transform": "compute the places as an array, and call ndimage.map_coordinates",
    "labeled_comprehension": "call the function for x[labels == k], for each k",
    "median": "call np.median(x[labels == k]), for each k",
}
_CHOOSING = ("minimum_filter", "maximum_filter", "median_filter")
registry.add_written(
    {
        ndimage.minimum_filter1d: minimum_filter1d,
        ndimage.maximum_filter1d: maximum_filter1d,
        **{getattr(ndimage, name): of_name(name) for name in _CHOOSING},
        **{
            getattr(ndimage, name): of_amount(name) for name in ("rank_filter", "percentile_filter")
        },
        **{
            getattr(ndimage, name): refusing(name, cure)
            for name, cure in _CURES.items()
            if hasattr(ndimage, name)
        },
    }
)

"""Images at other places: in their values, in the places, and in what these are computed from.

    places[i] = sum of matrix[i, j] * index[j] + offset[i]

An image becomes the coefficients of a spline first, which is linear, and is its own adjoint but for
what its ends count.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from autodiff.templates.scipy.ndimage.filters import into, kind_of
from autodiff.templates.scipy.ndimage.interpolated import at_places, scattered
from scipy import ndimage, special

from autodiff.rules import adjoint, d, linear, nondifferentiable, registry
from autodiff.rules.taking import refused
from autodiff.runtime import pad_adjoint

_BEHIND = 12
"""How far SciPy continues an image by itself, where coefficients do not."""
_CONTINUED = {"nearest": "edge", "grid-constant": "constant"}
_HALF = ("nearest", "reflect", "grid-mirror", "grid-wrap")
_SHORT = 64
"""Up to this length what SciPy neglects at the ends of an axis is no rounding error."""


def solved(x: Any, degree: Any, axis: Any, kind: Any, mode: Any) -> Any:
    """The coefficients of a spline along one axis."""
    return ndimage.spline_filter1d(x, degree, axis, kind, mode)


def unsolved(g: Any, degree: Any, axis: Any, mode: Any) -> Any:
    """The adjoint of the image, when `g` is that of `solved`."""
    n = np.shape(g)[axis]
    if n <= _SHORT:
        matrix = ndimage.spline_filter1d(np.eye(n), degree, 0, np.float64, mode)
        found = np.moveaxis(np.tensordot(matrix, g, ((0,), (axis,))), 0, axis)
    else:
        ends = np.ones(n)
        if mode not in _HALF and degree > 1:
            ends[[0, -1]] = 0.5
        ends = np.expand_dims(ends, [k for k in range(np.ndim(g)) if k != axis % np.ndim(g)])
        found = ends * ndimage.spline_filter1d(g / ends, degree, axis, _wide(g), mode)
    return found.astype(np.asarray(g).dtype, copy=False)


def _wide(g: Any) -> Any:
    return np.complex128 if np.iscomplexobj(g) else np.float64


def behind(degree: Any, mode: Any, prefilter: Any) -> int:
    """How far SciPy continues an image before it looks for coefficients."""
    return _BEHIND if prefilter and degree > 1 and mode in _CONTINUED else 0


def shape_of(x: Any, degree: Any, mode: Any, prefilter: Any) -> tuple[int, ...]:
    """How many coefficients there are along each axis."""
    return tuple(n + 2 * behind(degree, mode, prefilter) for n in np.shape(x))


def coefficients(
    x: Any, degree: Any, mode: Any, cval: Any, prefilter: Any, wide: bool = True
) -> Any:
    """Those of an image, less what is behind its ends."""
    if mode == "grid-constant":
        x = x - cval
    if not prefilter or degree < 2:
        return np.array(x)
    if mode in _CONTINUED:
        x = np.pad(x, _BEHIND, _CONTINUED[mode])  # type: ignore[call-overload]
    for axis in range(np.ndim(x)):
        x = ndimage.spline_filter1d(x, degree, axis, _wide(x) if wide else None, mode)
    return x


def uncoefficients(g: Any, like: Any, degree: Any, mode: Any, prefilter: Any) -> Any:
    """The adjoint of the image, when `g` is that of `coefficients`."""
    if not prefilter or degree < 2:
        return np.array(g)
    for axis in range(np.ndim(g)):
        g = unsolved(g, degree, axis, mode)
    if mode in _CONTINUED:
        g = pad_adjoint(g, like, _BEHIND, _CONTINUED[mode])
    return g


def read(x: Any, at: Any, kind: Any, degree: Any, mode: Any, cval: Any, prefilter: Any) -> Any:
    """The image at places."""
    return ndimage.map_coordinates(x, at, kind, degree, mode, cval, prefilter)


def moved(
    x: Any,
    matrix: Any,
    offset: Any,
    shape: Any,
    kind: Any,
    degree: Any,
    mode: Any,
    cval: Any,
    prefilter: Any,
    how: Any = "affine_transform",
) -> Any:
    """The image at the places that a matrix says, as one of SciPy's functions gives it."""
    options: Any = {"order": degree, "mode": mode, "cval": cval, "prefilter": prefilter}
    if isinstance(how, str) and how == "affine_transform":
        with warnings.catch_warnings():  # of a vector for a matrix, until SciPy 1.16
            warnings.simplefilter("ignore", UserWarning)
            return ndimage.affine_transform(x, matrix, offset, shape, kind, **options)
    if isinstance(how, str):
        return ndimage.shift(x, -offset, kind, **options)
    return ndimage.zoom(x, how[1], kind, **options, grid_mode=how[2])


def places(matrix: Any, offset: Any, shape: Any, width: Any = 0) -> Any:
    """Where an affine transform reads an image that is continued so far."""
    index = np.indices(shape).reshape(len(shape), -1)
    at = matrix @ index if np.ndim(matrix) == 2 else np.expand_dims(matrix, 1) * index
    at = np.reshape(at + np.expand_dims(offset + width, 1), (len(offset), *shape))
    return at.astype(np.result_type(matrix, offset), copy=False)


def of_matrix(g: Any, matrix: Any, shape: Any) -> Any:
    """The adjoint of the matrix, when `g` is that of the places."""
    index = np.indices(shape).reshape(len(shape), -1)
    rows = np.reshape(g, (len(matrix), -1))
    found = rows @ index.T if np.ndim(matrix) == 2 else np.sum(rows * index, axis=1)
    return found.astype(np.result_type(g), copy=False)


registry.add_making([solved, unsolved, coefficients, uncoefficients, read, moved])
registry.add_making([places, of_matrix])
nondifferentiable(behind, shape_of)


@linear(solved)
def solution(y, x, degree, axis, kind, mode):
    d[x] = unsolved(d[y], degree, axis, mode)


@linear(unsolved)
def solution_again(y, g, degree, axis, mode):
    d[g] = solved(d[y], degree, axis, None, mode)


@adjoint(coefficients)
def coefficient(y, x, degree, mode, cval, prefilter, wide=True):
    d[x] = uncoefficients(d[y], x, degree, mode, prefilter)


@linear(uncoefficients)
def coefficient_again(y, g, like, degree, mode, prefilter):
    d[g] = coefficients(d[y], degree, mode, 0.0, prefilter, False)
    d[like] = 0.0


@adjoint(read)
def reading(y, x, at, kind, degree, mode, cval, prefilter):
    there = at + behind(degree, mode, prefilter)
    d[x] = uncoefficients(
        scattered(d[y], there, shape_of(x, degree, mode, prefilter), degree, mode),
        x,
        degree,
        mode,
        prefilter,
    )
    d[at] = at_places(d[y], coefficients(x, degree, mode, cval, prefilter), there, degree, mode)


@adjoint(moved)
def movement(
    y, x, matrix, offset, shape, kind, degree, mode, cval, prefilter, how="affine_transform"
):
    at = places(matrix, offset, shape, behind(degree, mode, prefilter))
    g = at_places(d[y], coefficients(x, degree, mode, cval, prefilter), at, degree, mode)
    d[x] = uncoefficients(
        scattered(d[y], at, shape_of(x, degree, mode, prefilter), degree, mode),
        x,
        degree,
        mode,
        prefilter,
    )
    d[matrix] = of_matrix(g, matrix, shape)
    d[offset] = np.sum(np.reshape(g, (len(offset), -1)), axis=1)


@adjoint(places)
def place(y, matrix, offset, shape, width=0):
    d[matrix] = of_matrix(d[y], matrix, shape)
    d[offset] = np.sum(np.reshape(d[y], (len(offset), -1)), axis=1)


@linear(of_matrix)
def place_again(y, g, matrix, shape):
    d[g] = places(d[y], np.zeros(len(matrix), np.result_type(matrix)), shape)
    d[matrix] = 0.0


def spline_filter1d(input, order=3, axis=-1, output=np.float64, mode="mirror"):
    return into(output, solved(np.asarray(input), order, axis, kind_of(output), mode))


def spline_filter(input, order=3, output=np.float64, mode="mirror"):
    if order < 2 or order > 5:
        raise RuntimeError("spline order not supported")
    x = np.asarray(input)
    for axis in range(np.ndim(x)):
        x = solved(x, order, axis, kind_of(output), mode)
    return into(output, x)


def map_coordinates(
    input, coordinates, output=None, order=3, mode="constant", cval=0.0, prefilter=True
):
    x, at = np.asarray(input), np.asarray(coordinates)
    return into(output, read(x, at, kind_of(output), order, mode, cval, prefilter))


def affine_transform(
    input,
    matrix,
    offset=0.0,
    output_shape=None,
    output=None,
    order=3,
    mode="constant",
    cval=0.0,
    prefilter=True,
):
    x, m = np.asarray(input), np.asarray(matrix, dtype=np.float64)
    n = np.ndim(x)
    away = np.asarray(offset, dtype=np.float64) + np.zeros(n)
    if np.ndim(m) == 2 and np.shape(m)[1] == n + 1:
        if len(m) == n + 1 and not np.all(m[n] == np.eye(n + 1)[n]):
            raise ValueError("the last row of a homogeneous matrix is not 0, ..., 0, 1")
        away, m = m[:n, n], m[:n, :n]
    shape = output_shape
    if output_shape is None:
        shape = output.shape if isinstance(output, np.ndarray) else np.shape(x)
    found = moved(x, m, away, tuple(shape), kind_of(output), order, mode, cval, prefilter)
    return into(output, found)


def shift(input, shift, output=None, order=3, mode="constant", cval=0.0, prefilter=True):
    x = np.asarray(input)
    back = -(np.asarray(shift, dtype=np.float64) + np.zeros(np.ndim(x)))
    kind, ones = kind_of(output), np.ones(np.ndim(x))
    found = moved(x, ones, back, np.shape(x), kind, order, mode, cval, prefilter, "shift")
    return into(output, found)


def zoomed(zoom: Any, shape: Any) -> tuple[int, ...]:
    """The shape of what `zoom` gives."""
    factors = np.broadcast_to(zoom, (len(shape),)).tolist()
    return tuple(round(n * factor) for n, factor in zip(shape, factors))


def ratio_of(shape: Any, new: Any, grid_mode: Any) -> Any:
    """How far `zoom` goes from one place to the next: that depends on both shapes only."""
    less = 0 if grid_mode else 1
    return np.array([(n - less) / (m - less) if m != less else 1.0 for n, m in zip(shape, new)])


def zoom(
    input,
    zoom,
    output=None,
    order=3,
    mode="constant",
    cval=0.0,
    prefilter=True,
    *,
    grid_mode=False,
):
    x = np.asarray(input)
    shape = zoomed(zoom, np.shape(x))
    ratio = ratio_of(np.shape(x), shape, grid_mode)
    away = (ratio - 1) / 2 if grid_mode else np.zeros(np.ndim(x))
    how = ("zoom", zoom, grid_mode)
    found = moved(x, ratio, away, shape, kind_of(output), order, mode, cval, prefilter, how)
    return into(output, found)


def turned_shape(angle: Any, shape: Any, reshape: Any) -> tuple[int, ...]:
    """The shape of a plane that is turned."""
    if not reshape:
        return tuple(shape)
    c, s = special.cosdg(angle), special.sindg(angle)
    corners = np.array([[c, s], [-s, c]]) @ [[0, 0, shape[0], shape[0]], [0, shape[1], 0, shape[1]]]
    return tuple((np.ptp(corners, axis=1) + 0.5).astype(int).tolist())


def rotate(
    input,
    angle,
    axes=(1, 0),
    reshape=True,
    output=None,
    order=3,
    mode="constant",
    cval=0.0,
    prefilter=True,
):
    x = np.asarray(input)
    if np.ndim(x) != 2:
        refused(
            "ndimage.rotate of an image with more axes than two",
            "SciPy turns one plane after the other",
            "turn each plane by itself: ndimage.rotate(plane, angle, ...)",
        )
    plane = np.array(np.shape(x))
    new = turned_shape(angle, np.shape(x), reshape)
    c, s = special.cosdg(angle), special.sindg(angle)
    matrix = np.array([[c, s], [-s, c]])
    away = (plane - 1) / 2 - matrix @ ((np.array(new) - 1) / 2)
    kind = kind_of(output)
    return into(output, moved(x, matrix, away, new, kind, order, mode, cval, prefilter))


nondifferentiable(zoomed, ratio_of, turned_shape)
registry.add_written(
    {
        ndimage.spline_filter1d: spline_filter1d,
        ndimage.spline_filter: spline_filter,
        ndimage.map_coordinates: map_coordinates,
        ndimage.affine_transform: affine_transform,
        ndimage.shift: shift,
        ndimage.zoom: zoom,
        ndimage.rotate: rotate,
    }
)

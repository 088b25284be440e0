"""Filters that are correlations along one axis after another: of Gauss, Sobel, Prewitt, Laplace.

A width is a parameter like others. How far its weights reach is a whole number.
"""

from __future__ import annotations

import numpy as np
from autodiff.templates.scipy.ndimage.filters import (
    correlated,
    each_of,
    into,
    kind_of,
    tuple_of,
)
from scipy import ndimage
from scipy.ndimage import _filters

from autodiff.rules import registry


def smoothed(x, sigma, axis, order, kind, mode, cval, truncate=4.0, radius=None):
    reach = int(truncate * float(sigma) + 0.5) if radius is None else radius
    weights = _filters._gaussian_kernel1d(sigma, order, reach)[::-1]
    return correlated(x, weights, axis, kind, mode, cval, 0)


def gaussian_filter1d(
    input,
    sigma,
    axis=-1,
    order=0,
    output=None,
    mode="reflect",
    cval=0.0,
    truncate=4.0,
    *,
    radius=None,
):
    kind = kind_of(output)
    x = np.asarray(input)
    return into(output, smoothed(x, sigma, axis, order, kind, mode, cval, truncate, radius))


def gaussian_filter(
    input,
    sigma,
    order=0,
    output=None,
    mode="reflect",
    cval=0.0,
    truncate=4.0,
    *,
    radius=None,
    axes=None,
):
    x, kind = np.asarray(input), kind_of(output)
    along = tuple(range(np.ndim(x))) if axes is None else tuple_of(axes)
    n = len(along)
    sigmas, orders, modes = each_of(sigma, n), each_of(order, n), each_of(mode, n)
    reaches = each_of(radius, n)
    y = np.array(x, dtype=kind)
    for k in range(n):
        if sigmas[k] > 1e-15:
            y = smoothed(
                x, sigmas[k], along[k], orders[k], kind, modes[k], cval, truncate, reaches[k]
            )
            x = y
    return into(output, y)


def across(input, weights, axis, output, mode, cval):
    """A difference along one axis, and a sum along the others."""
    x, kind = np.asarray(input), kind_of(output)
    n = np.ndim(x)
    modes, along = each_of(mode, n), axis % n
    y = correlated(x, np.array([-1, 0, 1]), along, kind, modes[along], cval)
    for k in range(n):
        if k != along:
            y = correlated(y, np.array(weights), k, kind, modes[k], cval)
    return into(output, y)


def sobel(input, axis=-1, output=None, mode="reflect", cval=0.0):
    return across(input, (1, 2, 1), axis, output, mode, cval)


def prewitt(input, axis=-1, output=None, mode="reflect", cval=0.0):
    return across(input, (1, 1, 1), axis, output, mode, cval)


def laplace(input, output=None, mode="reflect", cval=0.0, *, axes=None):
    x, kind = np.asarray(input), kind_of(output)
    along = tuple(range(np.ndim(x))) if axes is None else tuple_of(axes)
    modes = each_of(mode, len(along))
    y = np.array(x, dtype=kind)
    for k in range(len(along)):
        each = correlated(x, np.array([1, -2, 1]), along[k], kind, modes[k], cval)
        y = each if k == 0 else y + each
    return into(output, y)


def derived(x, sigma, along, number, order, kind, mode, cval, truncate, radius):
    """A derivative, along one of the axes, of the smooth image."""
    n = len(along)
    sigmas, reaches = each_of(sigma, n), each_of(radius, n)
    y = np.array(x, dtype=kind)
    for k in range(n):
        if sigmas[k] > 1e-15:
            own = order if k == number else 0
            y = smoothed(x, sigmas[k], along[k], own, kind, mode, cval, truncate, reaches[k])
            x = y
    return y


def gaussian_laplace(
    input, sigma, output=None, mode="reflect", cval=0.0, *, axes=None, truncate=4.0, radius=None
):
    x, kind = np.asarray(input), kind_of(output)
    along = tuple(range(np.ndim(x))) if axes is None else tuple_of(axes)
    modes = each_of(mode, len(along))
    y = np.array(x, dtype=kind)
    for k in range(len(along)):
        each = derived(x, sigma, along, k, 2, kind, modes[k], cval, truncate, radius)
        y = each if k == 0 else y + each
    return into(output, y)


def gaussian_gradient_magnitude(
    input, sigma, output=None, mode="reflect", cval=0.0, *, axes=None, truncate=4.0, radius=None
):
    """Where the image is flat, the derivative is 0, the middle of the subgradients."""
    x, kind = np.asarray(input), kind_of(output)
    along = tuple(range(np.ndim(x))) if axes is None else tuple_of(axes)
    modes = each_of(mode, len(along))
    y, every = np.array(x, dtype=kind), tuple(range(np.ndim(x)))
    for k in range(len(along)):
        each = derived(x, sigma, every, along[k], 1, kind, modes[k], cval, truncate, radius)
        y = each * each if k == 0 else y + each * each
    if len(along) > 0:
        flat = y == 0
        y = np.where(flat, 0, np.sqrt(np.where(flat, 1, y)))
    return into(output, y)


registry.add_written(
    {
        ndimage.gaussian_filter1d: gaussian_filter1d,
        ndimage.gaussian_filter: gaussian_filter,
        ndimage.sobel: sobel,
        ndimage.prewitt: prewitt,
        ndimage.laplace: laplace,
        ndimage.gaussian_laplace: gaussian_laplace,
        ndimage.gaussian_gradient_magnitude: gaussian_gradient_magnitude,
    }
)

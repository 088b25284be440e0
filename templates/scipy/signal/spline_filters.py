"""B-splines on a grid: recursive filters that run from both sides, and values between points.

The filters take a signal that goes on as its mirror image: cosines, which they only scale. Their
adjoints are they themselves, without the sums over images that SciPy breaks off at `precision`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from autodiff.templates.scipy.ndimage.filters import correlated, of_weights, uncorrelated
from scipy import fft, signal

from autodiff.rules import adjoint, d, linear, multilinear, registry
from autodiff.runtime import conj, unbroadcast


def scaled_cosines(x: Any, response: Any) -> Any:
    """Along the last axis: its cosines, as large as `response` says."""
    return fft.idct(fft.dct(x, norm="ortho") * response, norm="ortho")


def cosines(x: Any, axis: int = -1) -> Any:
    angles = np.pi * np.arange(np.shape(x)[axis]) / np.shape(x)[axis]
    return np.cos(angles).astype(np.real(x).dtype)


def spline_coefficients(g: Any, top: float, lamb: float) -> Any:
    """Along both axes; B-splines sum to (top - 2 + 2 cos) / top at each frequency."""
    rows, columns = cosines(g), cosines(g, 0)
    along = 1 / ((top - 2 + 2 * rows) / top + lamb * (2 - 2 * rows) ** 2)
    down = 1 / ((top - 2 + 2 * columns) / top + lamb * (2 - 2 * columns) ** 2)
    return scaled_cosines(scaled_cosines(g, along).T, down).T


_FILTERS = (signal.symiirorder1, signal.symiirorder2, signal.cspline2d, signal.qspline2d)
registry.add_making((scaled_cosines, cosines, spline_coefficients))
registry.add_making((*_FILTERS, signal.sepfir2d))
registry.add_demanding((*_FILTERS, signal.sepfir2d))
"""Of a few numbers the sums of the filters do not converge, and `sepfir2d` overwrites memory."""


@multilinear(scaled_cosines)
def scaled_cosines_again(y, x, response):
    own = conj(fft.dct(x, norm="ortho"))
    d[x] = scaled_cosines(d[y], conj(response))
    d[response] = unbroadcast(fft.dct(d[y], norm="ortho") * own, like=response)


@adjoint(signal.symiirorder1, linear_in=("signal",))
def symiirorder1(y, signal, c0, z1, precision=-1.0):
    own = 1 / (1 - 2 * z1 * cosines(signal) + z1**2)
    turned = 2 * (cosines(signal) - z1) * own
    d[signal] = scaled_cosines(d[y], conj(c0 * own))
    d[c0] = np.sum(d[y] * conj(y / c0))
    d[z1] = np.sum(d[y] * conj(scaled_cosines(y, turned)))


@adjoint(signal.symiirorder2, linear_in=("input",))
def symiirorder2(y, input, r, omega, precision=-1.0):
    """Both ways 1 - a + b over 1 - a z + b z^2, where a = 2 r cos(omega) and b = r^2."""
    a = 2 * r * np.cos(omega)
    b = r**2
    c = cosines(input)
    below = 1 + a**2 + b**2 - 2 * a * (1 + b) * c + 2 * b * (2 * c**2 - 1)
    by_a = -2 / (1 - a + b) - (2 * a - 2 * (1 + b) * c) / below
    by_b = 2 / (1 - a + b) - (2 * b - 2 * a * c + 2 * (2 * c**2 - 1)) / below
    d[input] = scaled_cosines(d[y], (1 - a + b) ** 2 / below)
    d[r] = np.sum(d[y] * conj(scaled_cosines(y, 2 * np.cos(omega) * by_a + 2 * r * by_b)))
    d[omega] = -2 * r * np.sin(omega) * np.sum(d[y] * conj(scaled_cosines(y, by_a)))


@linear(signal.cspline2d)
def cspline2d(y, signal, lamb=0.0, precision=-1.0):
    d[signal] = spline_coefficients(d[y], 6.0, lamb if lamb > 1 / 144.0 else 0.0)


@linear(signal.qspline2d)
def qspline2d(y, signal, lamb=0.0, precision=-1.0):
    d[signal] = spline_coefficients(d[y], 8.0, 0.0)


@multilinear(signal.sepfir2d)
def sepfir2d(y, input, hrow, hcol):
    """Of convolutions along the rows, then along the columns."""
    row = conj(hrow[::-1])
    column = conj(hcol[::-1])
    g = uncorrelated(d[y], column, d[y], 0, "reflect", 0)
    along = correlated(input, row, 1, None, "reflect")
    d[input] = uncorrelated(g, row, input, 1, "reflect", 0)
    d[hrow] = conj(of_weights(input, g, hrow, 1, "reflect", 0.0, 0)[::-1])
    d[hcol] = conj(of_weights(along, d[y], hcol, 0, "reflect", 0.0, 0)[::-1])


def mirrored(x, n):
    """Places on a grid of `n` points that goes on as its mirror image."""
    period = 2 * (n - 1)
    inside = x - period * np.floor(x / period)
    return np.where(inside > n - 1, period - inside, inside)


def cubic(x):
    """The cubic B-spline."""
    far = np.abs(x)
    near = 2.0 / 3 - 0.5 * far**2 * (2 - far)
    return np.where(far < 1, near, np.where(far < 2, (2 - far) ** 3 / 6, 0.0))


def quadratic(x):
    """The quadratic B-spline."""
    far = np.abs(x)
    return np.where(far < 0.5, 0.75 - far**2, np.where(far < 1.5, (far - 1.5) ** 2 / 2, 0.0))


def cspline1d_eval(cj, newx, dx=1.0, x0=0):
    coefficients = np.asarray(cj)
    n = len(coefficients)
    x = mirrored((np.asarray(newx) - x0) / dx, n)
    first = np.floor(x - 2).astype(int) + 1
    y = 0.0
    for k in range(4):
        y = y + coefficients[np.clip(first + k, 0, n - 1)] * cubic(x - (first + k))
    return y


def qspline1d_eval(cj, newx, dx=1.0, x0=0):
    coefficients = np.asarray(cj)
    n = len(coefficients)
    x = mirrored((np.asarray(newx) - x0) / dx, n)
    first = np.floor(x - 1.5).astype(int) + 1
    y = 0.0
    for k in range(3):
        y = y + coefficients[np.clip(first + k, 0, n - 1)] * quadratic(x - (first + k))
    return y


registry.add_written(
    {
        signal.cspline1d_eval: cspline1d_eval,
        signal.qspline1d_eval: qspline1d_eval,
    }
)

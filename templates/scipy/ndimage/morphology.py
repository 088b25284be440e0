"""Morphology of grey images by flat structures, and filters of images' spectra."""

from __future__ import annotations

from typing import Any

import numpy as np
from autodiff.templates.scipy.ndimage.filters import into, kind_of, turned_back
from autodiff.templates.scipy.ndimage.ranks import of_name
from scipy import ndimage

from autodiff.rules import d, linear, nondifferentiable, registry
from autodiff.rules.taking import refused

smallest, largest = of_name("minimum_filter"), of_name("maximum_filter")


def lengths_of(size: Any, footprint: Any, axes: Any, ndim: int) -> tuple[int, ...]:
    """How long a window is along each axis."""
    if footprint is not None:
        return np.shape(footprint)
    count = ndim if axes is None else np.size(axes)
    return tuple(np.broadcast_to(size, (count,)).tolist())


def erosion(x, output, options):
    size, footprint, structure, mode, cval, origin, axes = options
    if structure is not None:
        refused(
            "ndimage morphology with a structure",
            "only that of flat windows has a derivative",
            "give size or footprint, or write the maximum of the shifted sums",
        )
    return smallest(x, size, footprint, output, mode, cval, origin, axes=axes)


def dilation(x, output, options):
    size, footprint, structure, mode, cval, origin, axes = options
    if structure is not None:
        return erosion(x, output, options)
    turned = None if footprint is None else np.flip(np.asarray(footprint))
    back = turned_back(origin, lengths_of(size, footprint, axes, np.ndim(x)))
    return largest(x, size, turned, output, mode, cval, back, axes=axes)


def opening(x, output, options):
    return dilation(erosion(x, None, options), output, options)


def closing(x, output, options):
    return erosion(dilation(x, None, options), output, options)


def gradient(x, output, options):
    return into(output, dilation(x, None, options) - erosion(x, None, options))


def laplacian(x, output, options):
    return into(output, dilation(x, None, options) + erosion(x, None, options) - x - x)


def above(x, output, options):
    kind = None if isinstance(output, np.ndarray) else output
    return into(output, x - opening(x, kind, options))


def below(x, output, options):
    kind = None if isinstance(output, np.ndarray) else output
    return into(output, closing(x, kind, options) - x)


def with_options(operation):
    """What stands for a function of SciPy's, of which all take the same."""

    def call(
        input,
        size=None,
        footprint=None,
        structure=None,
        output=None,
        mode="reflect",
        cval=0.0,
        origin=0,
        *,
        axes=None,
    ):
        options = (size, footprint, structure, mode, cval, origin, axes)
        return operation(np.asarray(input), output, options)

    return call


def of_spectrum(x: Any, name: Any, amount: Any, n: Any, axis: Any, kind: Any = None) -> Any:
    """A filter in the domain of frequencies: a product with numbers that are known."""
    return getattr(ndimage, name)(x, amount, n, axis, kind if kind is None else np.dtype(kind))


def amount_back(name: Any, amount: Any) -> Any:
    """What the adjoint of such a filter takes: a shift goes back, the others are real."""
    return np.negative(amount) if name == "fourier_shift" else amount


def spectral(name):
    """What stands for a filter of SciPy's."""

    def call(input, amount, n=-1, axis=-1, output=None):
        x = np.asarray(input)
        return into(output, of_spectrum(x, name, amount, n, axis, kind_of(output)))

    return call


nondifferentiable(lengths_of, amount_back)
registry.add_making([of_spectrum])


@linear(of_spectrum)
def spectrum(y, x, name, amount, n, axis, kind=None):
    d[x] = of_spectrum(d[y], name, amount_back(name, amount), n, axis)


_OPERATIONS = {
    "grey_erosion": erosion,
    "grey_dilation": dilation,
    "grey_opening": opening,
    "grey_closing": closing,
    "morphological_gradient": gradient,
    "morphological_laplace": laplacian,
    "white_tophat": above,
    "black_tophat": below,
}
_SPECTRAL = ("fourier_ellipsoid", "fourier_gaussian", "fourier_shift", "fourier_uniform")
registry.add_written(
    {
        **{getattr(ndimage, name): with_options(own) for name, own in _OPERATIONS.items()},
        **{getattr(ndimage, name): spectral(name) for name in _SPECTRAL},
    }
)

"""Adjoints of discrete Fourier transforms.

A transform without its scale is a symmetric matrix F, so that its adjoint is conj(F): the inverse
transform without its scale. Where a real signal or spectrum stands for a whole one, each stored
frequency but the first (and for even lengths the last) counts twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def opposite_norm(norm: str | None) -> Any:
    """The normalisation of the inverse transform that scales as the transform with `norm` does."""
    return {None: "forward", "backward": "forward", "forward": "backward"}.get(norm, "ortho")


def frequency_counts(n: int, ndim: int, axis: int) -> Any:
    """How often each element of `rfft` of `n` real numbers stands in their whole spectrum.

    Shaped to be broadcast along `axis` of an array of `ndim` dimensions.

    >>> frequency_counts(4, 1, 0), frequency_counts(5, 1, 0)
    (array([1, 2, 1], dtype=int8), array([1, 2, 2], dtype=int8))
    """
    counts = np.full(n // 2 + 1, 2, np.int8)  # the narrowest type leaves float32 as it is
    counts[0] = 1
    if n % 2 == 0:
        counts[-1] = 1
    shape = [1] * ndim
    shape[axis] = len(counts)
    return counts.reshape(shape)


def resized(g: Any, like: Any) -> Any:
    """`g` cut off, or filled up with zeros, at the end of each axis, to the shape of `like`."""
    shape = np.shape(like)
    if g.shape == shape:
        return g
    result = np.zeros(shape, g.dtype)
    common = tuple(slice(min(sizes)) for sizes in zip(g.shape, shape))
    result[common] = g[common]
    return result


def rfftn_adjoint(
    g: Any, a: Any, s: Sequence[int] | None, axes: Sequence[int] | None, norm: str | None
) -> Any:
    """The adjoint of `a` when `g` is that of `np.fft.rfftn(a, s, axes, norm)`."""
    axes = transformed(np.ndim(a), s, axes)
    own = [np.shape(a)[axis] for axis in axes]
    sizes = own if s is None else [m if n in (None, -1) else n for m, n in zip(own, s)]
    g = g / frequency_counts(sizes[-1], g.ndim, axes[-1])
    return resized(np.fft.irfftn(g, sizes, axes, opposite_norm(norm)), like=a)


def irfftn_adjoint(
    g: Any, a: Any, s: Sequence[int] | None, axes: Sequence[int] | None, norm: str | None
) -> Any:
    """The adjoint of `a` when `g` is that of `np.fft.irfftn(a, s, axes, norm)`."""
    axes = transformed(np.ndim(a), s, axes)
    counts = frequency_counts(g.shape[axes[-1]], g.ndim, axes[-1])
    return resized(counts * np.fft.rfftn(g, axes=axes, norm=opposite_norm(norm)), like=a)


def transformed(
    ndim: int, s: Sequence[int] | None, axes: Sequence[int] | int | None
) -> tuple[int, ...]:
    """The axes that are transformed."""
    if axes is not None:
        return tuple(int(axis) for axis in np.atleast_1d(axes))
    return tuple(range(ndim) if s is None else range(-len(s), 0))

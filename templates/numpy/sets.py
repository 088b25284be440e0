"""Functions that choose elements by value: of equal ones, the first receives the adjoint."""

import numpy as np

from autodiff.rules import adjoint, d, newer
from autodiff.runtime import chosen_adjoint, scatter, trim_adjoint


@adjoint(np.unique)
def unique(
    y,
    ar,
    return_index=False,
    return_inverse=False,
    return_counts=False,
    axis=None,
    *,
    equal_nan=True,
    sorted=True,
):
    several = return_index or return_inverse or return_counts
    g = d[y][0] if several else d[y]
    found = y[0] if several else y
    d[ar] = (
        chosen_adjoint(g, found, ar)
        if axis is None
        else scatter(
            g,
            like=ar,
            at=(slice(None),) * (axis % np.ndim(ar))
            + (np.unique(ar, return_index=True, axis=axis)[1],),
        )
    )


@adjoint(newer.unique_values)
def unique_values(y, x):
    d[x] = chosen_adjoint(d[y], y, x)


@adjoint(newer.unique_all, newer.unique_counts, newer.unique_inverse)
def unique_with_places(y, x):
    d[x] = chosen_adjoint(d[y][0], y[0], x)


@adjoint(np.union1d)
def union1d(y, ar1, ar2):
    d[ar1] = chosen_adjoint(d[y], y, ar1)
    d[ar2] = chosen_adjoint(d[y], y, ar2, besides=ar1)


@adjoint(np.intersect1d)
def intersect1d(y, ar1, ar2, assume_unique=False, return_indices=False):
    g = d[y][0] if return_indices else d[y]
    d[ar1] = chosen_adjoint(g, y[0] if return_indices else y, ar1)
    d[ar2] = 0.0


@adjoint(np.setdiff1d)
def setdiff1d(y, ar1, ar2, assume_unique=False):
    d[ar1] = chosen_adjoint(d[y], y, ar1)
    d[ar2] = 0.0


@adjoint(np.setxor1d)
def setxor1d(y, ar1, ar2, assume_unique=False):
    d[ar1] = chosen_adjoint(d[y], y, ar1)
    d[ar2] = chosen_adjoint(d[y], y, ar2, besides=ar1)


@adjoint(np.trim_zeros)
def trim_zeros(y, filt, trim="fb", axis=None):
    d[filt] = trim_adjoint(d[y], filt, trim, axis)

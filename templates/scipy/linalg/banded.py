"""Symmetric banded matrices, of which one half is kept: `ab[u + i - j, j]`, or `ab[i - j, j]`."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from autodiff.rules import adjoint, d, registry
from autodiff.runtime import conj


def band_of_products(left: Any, right: Any, like: Any, lower: bool) -> Any:
    """The band of the sum of what `left @ right^H` has in both halves: adjoint of the band."""
    n = np.shape(like)[1]
    found = np.zeros(np.shape(like), np.result_type(left, right))
    for k in range(min(len(like), n)):
        below = np.sum(left[k:] * conj(right[: n - k]), -1)
        if k:
            below = below + conj(np.sum(left[: n - k] * conj(right[k:]), -1))
        if lower:
            found[k, : n - k] = below
        else:
            found[len(found) - 1 - k, k:] = conj(below)
    return found


def band_vectors(a_band: Any, lower: bool) -> Any:
    """The eigenvectors of a band."""
    return linalg.eig_banded(a_band, lower)[1]


def other_half(band: Any, lower: bool) -> Any:
    """The band of the adjoint matrix: of an upper triangle where `lower` is given."""
    n, last = np.shape(band)[1], len(band) - 1
    rows = []
    for k in range(last + 1):
        if lower:
            gap = np.zeros(last - k, band.dtype)
            rows.append(np.concatenate([gap, conj(band[last - k, : n - last + k])]))
        else:
            rows.append(np.concatenate([conj(band[last - k, k:]), np.zeros(k, band.dtype)]))
    return np.stack(rows)


def cholesky_banded_adjoint(g: Any, c: Any, lower: bool) -> Any:
    """The adjoint of the band whose factor is `c`: column by column what the factor came from."""
    factor = c if lower else other_half(c, False)
    found = np.array(g if lower else other_half(g, False))
    n = np.shape(c)[1]
    for j in range(n - 1, -1, -1):
        below = min(len(c), n - j)
        own = factor[:below, j]
        for i in range(1, below):
            after = found[: below - i, j + i]
            found[i:below, j] -= after * own[i]
            found[i, j] -= np.sum(conj(after) * own[i:])
        found[1:below, j] /= own[0]
        turned = found[0, j] - np.sum(conj(found[1:below, j]) * own[1:])
        found[0, j] = np.real(turned / (2 * own[0]))
    result = found if lower else other_half(found, True)
    row, column = np.arange(len(c))[:, None], np.arange(n)
    unused = row + column >= n if lower else row + column < len(c) - 1
    return np.where(unused, g, result)  # SciPy gives out what stands there


registry.add_making([band_of_products, band_vectors, cholesky_banded_adjoint])


@adjoint(linalg.eigvals_banded)
def eigvals_banded(w, a_band, lower=False):
    """All of them."""
    vectors = band_vectors(a_band, lower)
    d[a_band] = band_of_products(vectors * d[w], vectors, a_band, lower)


@adjoint(linalg.cholesky_banded)
def cholesky_banded(c, ab, *, lower=False):
    d[ab] = cholesky_banded_adjoint(d[c], c, lower)


def cho_solve_banded(cb_and_lower, b, overwrite_b=False, check_finite=True):
    """Two systems with triangular bands."""
    band, lower = cb_and_lower
    first = band if lower else other_half(band, False)
    second = other_half(band, True) if lower else band
    count = len(band) - 1
    return linalg.solve_banded((0, count), second, linalg.solve_banded((count, 0), first, b))


registry.add_written({linalg.cho_solve_banded: cho_solve_banded})

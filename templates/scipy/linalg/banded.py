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


registry.add_making([band_of_products])


@adjoint(linalg.eigvals_banded)
def eigvals_banded(w, a_band, lower=False):
    """All of them."""
    vectors = linalg.eig_banded(a_band, lower)[1]
    d[a_band] = band_of_products(vectors * d[w], vectors, a_band, lower)

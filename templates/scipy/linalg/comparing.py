"""How far apart subspaces are; matrices scaled to be balanced."""

from __future__ import annotations

import numpy as np
from scipy import linalg

from autodiff.rules import adjoint, d, registry


def subspace_angles(A, B):
    """Small angles by their sines, large ones by their cosines."""
    first, second = linalg.orth(A), linalg.orth(B)
    inner = np.conj(first).T @ second
    cosines = linalg.svdvals(inner)
    if np.shape(first)[1] >= np.shape(second)[1]:
        rest = second - first @ inner
    else:
        rest = first - second @ np.conj(inner).T
    small = cosines**2 >= 0.5
    sines = np.clip(linalg.svdvals(rest), -1.0, 1.0)
    return np.where(small, np.arcsin(sines), np.arccos(np.clip(cosines[::-1], -1.0, 1.0)))


registry.add_written({linalg.subspace_angles: subspace_angles})


@adjoint(linalg.matrix_balance)
def matrix_balance(y, A, permute=True, scale=True):
    """T^-1 A T, where T exchanges and scales by powers of two: it stays where `A` changes a bit."""
    d[A] = np.linalg.solve(y[1].T, d[y][0]) @ y[1].T

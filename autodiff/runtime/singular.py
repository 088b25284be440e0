"""The cofactors of a singular matrix, and the adjoint of any: products of singular values.

With a = u diag(s) v^H, det(a) = det(u) det(v^H) prod(s), and the derivatives of the determinant are
those of diag(s), in which s enters by products of all but one or two of its elements.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.runtime.broadcasting import conj


def singular_cofactors(a: Any) -> Any:
    """The matrices of conjugate cofactors of a stack of square matrices."""
    u, s, vh = np.linalg.svd(a)
    n = s.shape[-1]
    left_out = np.eye(n, dtype=bool)
    products = np.prod(np.where(left_out, 1.0, s[..., None, :]), axis=-1)
    return _unit(u, vh) * ((u * products[..., None, :]) @ vh)


def cofactors_adjoint(g: Any, a: Any) -> Any:
    """The adjoint of `a`, singular or not, when `g` is that of its conjugate cofactors.

    The second derivative of det along e and f is the sum over i != j of
    p_ij (e_ii f_jj - e_ij f_ji), with p_ij the product of all singular values but the i-th and
    j-th, and e, f in the bases of the singular vectors.
    """
    u, s, vh = np.linalg.svd(a)
    n = s.shape[-1]
    one = np.eye(n, dtype=bool)
    left_out = one[:, None, :] | one[None, :, :]
    products = np.prod(np.where(left_out, 1.0, s[..., None, None, :]), axis=-1)
    products = np.where(one, 0.0, products)
    e = conj(np.swapaxes(u, -1, -2)) @ g @ conj(np.swapaxes(vh, -1, -2))
    diagonal = np.einsum("...ij,...ii->...j", products, e)
    inner = diagonal[..., None, :] * one - np.swapaxes(products * e, -1, -2)
    return _unit(u, vh) * (u @ conj(inner) @ vh)


def _unit(u: Any, vh: Any) -> Any:
    return np.expand_dims(conj(np.linalg.det(u) * np.linalg.det(vh)), (-2, -1))

"""What is known of the results of library functions where their operands are not known."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff import runtime
from autodiff.analysis.kind import UNKNOWN, Instance, Kind, Numeric, Numerical
from autodiff.runtime.broadcasting import fit

MAKING: frozenset[Any] = frozenset(
    (
        *(runtime.matmul_left, runtime.matmul_right, runtime.tensordot_left),
        *(runtime.tensordot_right, runtime.kron_left, runtime.kron_right),
        *(runtime.rfftn_adjoint, runtime.irfftn_adjoint, runtime.multi_dot_adjoint),
        *(runtime.matrix_power_adjoint, runtime.cholesky_adjoint),
        *(runtime.cofactors, runtime.pinv_adjoint, runtime.qr_adjoint, runtime.qr_r_adjoint),
        *(runtime.svd_adjoint, runtime.svdvals_adjoint, runtime.eig_adjoint),
        *(runtime.eigvals_adjoint, runtime.eigh_adjoint, runtime.tensorsolve_left),
        *(runtime.tensorsolve_right, runtime.scatter_flat, runtime.scatter_along),
        *(runtime.scatter_diagonal, runtime.select_adjoint, runtime.select_default_adjoint),
        *(runtime.insert_adjoint, runtime.chosen_adjoint, runtime.trim_adjoint),
        *(runtime.windows_adjoint,),
        *(runtime.repeat_adjoint, runtime.tile_adjoint, runtime.cumprod_adjoint),
        *(runtime.gradient_adjoint, runtime.interp_values_adjoint, runtime.quantile_adjoint),
        *(runtime.nanquantile_adjoint, runtime.cov_adjoint, runtime.corrcoef_adjoint),
        *(runtime.average_weights_adjoint, runtime.poly_adjoint, runtime.polyfit_adjoint),
        *(runtime.polymul_adjoint, runtime.polyder_adjoint, runtime.roots_adjoint),
    )
)
"""Helpers of generated code that return a new array or number."""

_NEW: frozenset[Any] = MAKING | frozenset(
    (
        *(np.sum, np.mean, np.prod, np.max, np.min, np.var, np.std, np.trace, np.cumsum),
        *(np.cumprod, np.dot, np.vdot, np.inner, np.outer, np.tensordot, np.kron, np.linalg.inv),
        *(np.linalg.solve, np.linalg.det, np.linalg.norm, np.linalg.pinv, np.linalg.cholesky),
    )
)
"""Functions whose result is one new number or array."""

_ARRANGING: frozenset[Any] = frozenset(
    (
        *(np.reshape, np.ravel, np.transpose, np.swapaxes, np.moveaxis, np.rollaxis, np.squeeze),
        *(np.expand_dims, np.broadcast_to, np.asarray, np.array, np.copy, np.real, np.imag),
        *(np.flip, np.roll, np.rot90, np.diagonal, np.tril, np.triu, np.where, np.concatenate),
        *(np.stack, np.take, np.einsum, np.zeros_like, np.ones_like, np.full_like),
        *(np.ndarray.astype, np.ndarray.flatten, runtime.conj, fit),
        *(runtime.einsum_adjoint, runtime.scatter),
    )
)
"""Functions whose result is one number or array, which may be a view of an operand."""


def made_by_library(function: object, arguments: list[Kind]) -> Kind:
    """The kind of a library function's result where an operand is not known."""
    if any(isinstance(kind, Instance) for kind in arguments):
        return UNKNOWN
    is_new = function in _NEW
    if isinstance(function, np.ufunc) and function.nout == 1:
        is_new = len(arguments) <= function.nin
    if is_new:
        return Numeric()
    return Numerical() if function in _ARRANGING else UNKNOWN

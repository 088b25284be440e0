"""Helpers of generated code whose results are new memory."""

from __future__ import annotations

from typing import Any

from autodiff import runtime

MAKING: frozenset[Any] = frozenset(
    (
        *(runtime.matmul_left, runtime.matmul_right, runtime.tensordot_left),
        *(runtime.tensordot_right, runtime.kron_left, runtime.kron_right),
        *(runtime.rfftn_adjoint, runtime.irfftn_adjoint, runtime.multi_dot_adjoint),
        *(runtime.matrix_power_adjoint, runtime.cholesky_adjoint, runtime.mirrored),
        *(runtime.cofactors, runtime.pinv_adjoint, runtime.qr_adjoint, runtime.qr_r_adjoint),
        *(runtime.svd_adjoint, runtime.svdvals_adjoint, runtime.eig_adjoint),
        *(runtime.eigvals_adjoint, runtime.eigh_adjoint, runtime.tensorsolve_left),
        *(runtime.tensorsolve_right, runtime.scatter_flat, runtime.scatter_along),
        *(runtime.unsorted, runtime.unsplit, runtime.unreduce, runtime.undiff),
        *(runtime.scatter_diagonal, runtime.select_adjoint, runtime.select_default_adjoint),
        *(runtime.insert_adjoint, runtime.chosen_adjoint, runtime.trim_adjoint),
        *(runtime.windows_adjoint, runtime.pad_adjoint, runtime.trapezoid_weights),
        *(runtime.even_trapezoid_adjoint, runtime.odd_pad_adjoint),
        *(runtime.repeat_adjoint, runtime.tile_adjoint, runtime.cumprod_adjoint),
        *(runtime.gradient_adjoint, runtime.interp_values_adjoint, runtime.quantile_adjoint),
        *(runtime.edges_adjoint, runtime.full_convolution, runtime.full_correlation),
        *(runtime.nanquantile_adjoint, runtime.cov_adjoint, runtime.corrcoef_adjoint),
        *(runtime.cov_weights_adjoint, runtime.average_weights_adjoint, runtime.poly_adjoint),
        *(runtime.polyfit_adjoint, runtime.polymul_adjoint, runtime.polyder_adjoint),
        *(runtime.roots_adjoint, runtime.of_triangle, runtime.turned),
    )
)
"""Helpers of generated code that return a new array or number."""

EVEN: dict[Any, tuple[int, ...]] = {
    **dict.fromkeys((runtime.eig_adjoint, runtime.eigvals_adjoint, runtime.eigh_adjoint), (0,)),
    runtime.svd_adjoint: (1,),
    runtime.svdvals_adjoint: (0,),
}
"""Helpers of templates, with the places of adjoints that may be one number for all elements."""

"""All that generated code may call; imports numpy only."""

from autodiff.runtime.broadcasting import conj, phase, reduced_size, unbroadcast, unreduce
from autodiff.runtime.copying import adjoint_of, copied, expand, restructured, scalar_seed
from autodiff.runtime.extrema import others, share, winners
from autodiff.runtime.linalg import (
    adjoint_matrix,
    cholesky_adjoint,
    cofactors,
    eigh_adjoint,
    hermitian,
    matrix_power_adjoint,
    norm_slope,
    pinv_adjoint,
    solve_adjoint,
)
from autodiff.runtime.patterns import is_mapping, is_sequence
from autodiff.runtime.products import (
    einsum_adjoint,
    kron_left,
    kron_right,
    multi_dot_adjoint,
    tensordot_left,
    tensordot_right,
)
from autodiff.runtime.rearranging import (
    inverse_permutation,
    memory_order,
    meshgrid_adjoint,
    pad_adjoint,
    repeat_adjoint,
    scatter_diagonal,
    scatter_flat,
    select_adjoint,
    select_default_adjoint,
    tile_adjoint,
)
from autodiff.runtime.scans import (
    average_weights_adjoint,
    cumprod_adjoint,
    proportions,
    trapezoid_points_adjoint,
    trapezoid_weights,
    undiff,
)
from autodiff.runtime.scattering import add_at, scatter, scatter_along, split
from autodiff.runtime.signals import full_convolution, interp_slope, interp_values_adjoint
from autodiff.runtime.special import digamma
from autodiff.runtime.structure import accumulate, sequence, zeros_like
from autodiff.runtime.tape import Tape

__all__ = [
    "Tape",
    "accumulate",
    "add_at",
    "adjoint_matrix",
    "adjoint_of",
    "average_weights_adjoint",
    "cholesky_adjoint",
    "cofactors",
    "conj",
    "copied",
    "cumprod_adjoint",
    "digamma",
    "eigh_adjoint",
    "einsum_adjoint",
    "expand",
    "full_convolution",
    "hermitian",
    "interp_slope",
    "interp_values_adjoint",
    "inverse_permutation",
    "kron_left",
    "kron_right",
    "matrix_power_adjoint",
    "is_mapping",
    "is_sequence",
    "memory_order",
    "meshgrid_adjoint",
    "multi_dot_adjoint",
    "norm_slope",
    "others",
    "pad_adjoint",
    "phase",
    "pinv_adjoint",
    "proportions",
    "reduced_size",
    "repeat_adjoint",
    "restructured",
    "scalar_seed",
    "scatter",
    "scatter_along",
    "scatter_diagonal",
    "scatter_flat",
    "select_adjoint",
    "select_default_adjoint",
    "sequence",
    "share",
    "solve_adjoint",
    "split",
    "tensordot_left",
    "tensordot_right",
    "tile_adjoint",
    "trapezoid_points_adjoint",
    "trapezoid_weights",
    "unbroadcast",
    "undiff",
    "unreduce",
    "winners",
    "zeros_like",
]

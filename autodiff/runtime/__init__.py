"""All that generated code may call; imports numpy only."""

from autodiff.runtime.broadcasting import conj, phase, reduced_size, unbroadcast, unreduce
from autodiff.runtime.extrema import others, share, winners
from autodiff.runtime.scans import (
    average_weights_adjoint,
    cumprod_adjoint,
    proportions,
    trapezoid_means,
    trapezoid_weights,
    undiff,
)
from autodiff.runtime.scattering import add_at, scatter, scatter_along, split
from autodiff.runtime.special import digamma
from autodiff.runtime.structure import accumulate, sequence, zeros_like
from autodiff.runtime.tape import Tape

__all__ = [
    "Tape",
    "accumulate",
    "add_at",
    "average_weights_adjoint",
    "conj",
    "cumprod_adjoint",
    "digamma",
    "others",
    "phase",
    "proportions",
    "reduced_size",
    "scatter",
    "scatter_along",
    "sequence",
    "share",
    "split",
    "trapezoid_means",
    "trapezoid_weights",
    "unbroadcast",
    "undiff",
    "unreduce",
    "winners",
    "zeros_like",
]

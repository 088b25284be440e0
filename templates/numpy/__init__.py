"""Derivative rules of NumPy."""

from autodiff.templates.numpy import (
    beyond_reals,
    creation,
    elementwise,
    fft,
    folds,
    histograms,
    indexing,
    joining,
    linalg,
    polynomials,
    products,
    reductions,
    scans,
    sets,
    shape,
    statistics,
)

__all__ = [
    "beyond_reals",
    "creation",
    "elementwise",
    "fft",
    "folds",
    "histograms",
    "indexing",
    "joining",
    "linalg",
    "polynomials",
    "products",
    "reductions",
    "scans",
    "sets",
    "shape",
    "statistics",
]

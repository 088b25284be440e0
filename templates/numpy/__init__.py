"""Derivative rules of NumPy."""

from autodiff.templates.numpy import (
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

"""Derivative rules of NumPy."""

from autodiff.templates.numpy import (
    creation,
    elementwise,
    indexing,
    joining,
    linalg,
    products,
    reductions,
    shape,
    statistics,
)

__all__ = [
    "creation",
    "elementwise",
    "indexing",
    "joining",
    "linalg",
    "products",
    "reductions",
    "shape",
    "statistics",
]

"""Derivative rules of scipy.linalg; without the options that let it overwrite its arguments."""

from autodiff.templates.scipy.linalg import (
    building,
    decompositions,
    factorizations,
    functions,
    helpers,
    solving,
    subspaces,
    systems,
    toeplitz,
    unitary,
)

__all__ = [
    "building",
    "decompositions",
    "factorizations",
    "functions",
    "helpers",
    "solving",
    "subspaces",
    "systems",
    "toeplitz",
    "unitary",
]

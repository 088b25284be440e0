"""Derivative rules of scipy.linalg; without the options that let it overwrite its arguments."""

from autodiff.templates.scipy.linalg import (
    banded,
    building,
    comparing,
    decompositions,
    factorizations,
    functions,
    helpers,
    riccati,
    solving,
    subspaces,
    systems,
    toeplitz,
    unitary,
)

__all__ = [
    "banded",
    "building",
    "comparing",
    "decompositions",
    "factorizations",
    "functions",
    "helpers",
    "riccati",
    "solving",
    "subspaces",
    "systems",
    "toeplitz",
    "unitary",
]

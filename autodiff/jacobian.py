"""Derivatives built from a vector-Jacobian product: the Jacobian and the elementwise gradient."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from autodiff.derivative import Derivative
from autodiff.errors import NonDifferentiableError
from autodiff.pullback import Pullback
from autodiff.runtime import zeros_like
from autodiff.structure import leaves, map_leaves


class Jacobian(Derivative):
    """All partial derivatives of an array-valued function, one reverse sweep per result element.

    The result has the shape of the value followed by the shape of the argument. A value that is a
    structure gives a structure of Jacobians, and so does an argument.
    """

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        value, function = super().__call__(*args, **keywords)
        _check_value(self, value, "Jacobian")
        pullback = Pullback(function, value)
        count = itertools.count()
        return map_leaves(lambda leaf: self._rows(pullback, next(count), np.shape(leaf)), value)

    def _rows(self, pullback: Pullback, at: int, shape: tuple[int, ...]) -> Any:
        """The Jacobian of the leaf number `at` of the value."""
        seeds = [_unit_seed(pullback.value, at, index) for index in np.ndindex(shape)]
        if seeds:
            rows = [pullback(seed) for seed in seeds]
            adjoints = map_leaves(lambda *row: _stack(row, shape), *rows)
        else:
            form = pullback(map_leaves(zeros_like, pullback.value))
            adjoints = map_leaves(lambda leaf: np.zeros(shape + np.shape(leaf)), form)
        return adjoints if isinstance(self._wrt, tuple) else adjoints[0]


class ElementwiseGradient(Derivative):
    """The gradient of the sum of all elements of the value.

    For a function that acts on each element alone, this is its derivative at each element.
    """

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        value, function = super().__call__(*args, **keywords)
        _check_value(self, value, "elementwise gradient")
        adjoints = Pullback(function, value)(map_leaves(_ones, value))
        return adjoints if isinstance(self._wrt, tuple) else adjoints[0]


def _unit_seed(value: Any, at: int, index: tuple[int, ...]) -> Any:
    """The seed that is 1 at one element of one leaf."""
    count = itertools.count()

    def seed(leaf: Any) -> Any:
        zeros = np.zeros_like(leaf)
        if next(count) == at:
            zeros[index] = 1.0
        return zeros

    return map_leaves(seed, value)


def _ones(leaf: Any) -> Any:
    return np.ones_like(leaf) if isinstance(leaf, np.ndarray) else type(leaf)(1.0)


def _stack(rows: tuple[Any, ...], shape: tuple[int, ...]) -> Any:
    if shape == ():
        return rows[0]
    return np.stack(rows).reshape(shape + np.shape(rows[0]))


def _check_value(derivative: Derivative, value: Any, what: str) -> None:
    found = list(leaves(value))
    if found and not any(map(np.iscomplexobj, found)):
        return
    raise NonDifferentiableError(
        f"cannot take the {what} of {derivative.target.place}",
        why="its value is complex" if found else "there is no float in its value",
        cure="return floats or arrays of floats",
    )

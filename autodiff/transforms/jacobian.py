"""Derivatives built from a vector-Jacobian product: the Jacobian and the elementwise gradient."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff.derivatives.derivative import Derivative
from autodiff.errors import NonDifferentiableError
from autodiff.frames import hidden
from autodiff.kinds.kind import Kind
from autodiff.pipeline.compiled import Offer
from autodiff.runtime import zeros_like
from autodiff.structure import leaves, map_leaves
from autodiff.transforms.pullback import Pullback
from autodiff.transforms.written import by_rows, caller_of, of_sum


class Jacobian(Derivative):
    """All partial derivatives of an array-valued function, one reverse sweep per result element.

    The result has the shape of the value followed by the shape of the argument. A value that is a
    structure gives a structure of Jacobians, and so does an argument.
    """

    @hidden
    def __call__(self, *args: Any, **keywords: Any) -> Any:
        value, function, aux = pulled(self, super().__call__(*args, **keywords))
        return with_aux(self, self._of(value, Pullback(function, value)), aux)

    def __standing__(self) -> Callable[..., Any]:
        return caller_of(self)

    def compose(self, kinds: list[Kind]) -> Offer:
        return by_rows(self, kinds, Derivative)

    def _of(self, value: Any, pullback: Pullback) -> Any:
        _check_value(self, value, "Jacobian")
        return self._matrix(value, pullback)

    def _matrix(self, value: Any, pullback: Pullback) -> Any:
        count = itertools.count()
        return map_leaves(lambda leaf: self._rows(pullback, next(count), np.shape(leaf)), value)

    def _rows(self, pullback: Pullback, at: int, shape: tuple[int, ...]) -> Any:
        """The Jacobian of the leaf number `at` of the value."""
        seeds = [unit_seed(pullback.value, at, index) for index in np.ndindex(shape)]
        if seeds:
            rows = [pullback(seed) for seed in seeds]
            adjoints = map_leaves(lambda *row: _stack(row, shape), *rows)
        else:
            form = pullback(map_leaves(zeros_like, pullback.value))
            adjoints = map_leaves(lambda leaf: np.zeros(shape + np.shape(leaf)), form)
        return adjoints if isinstance(self._wrt, tuple) else adjoints[0]


class HolomorphicJacobian(Jacobian):
    """The complex derivatives df/dz of a function of complex arguments that has them.

    A real seed gives an element's adjoint conj(df/dz), and i times the seed i times as much, unless
    the function depends on the conjugate of an argument: that is checked at each call.
    """

    def compose(self, kinds: list[Kind]) -> Offer:
        raise NonDifferentiableError(
            f"cannot differentiate {self!r}",
            why="holomorphic Jacobians are put together from two real ones",
            cure="differentiate the real and the imaginary part",
        )

    def _of(self, value: Any, pullback: Pullback) -> Any:
        if not all(map(np.iscomplexobj, leaves(value))):
            raise self._refused("its value is not complex")
        seed = map_leaves(_irregular, value)
        straight, turned = pullback(seed), pullback(map_leaves(lambda leaf: 1j * leaf, seed))
        for a, b in zip(leaves(straight), leaves(turned)):
            rounding = np.sqrt(np.finfo(np.asarray(a).dtype).eps) * np.max(np.abs(a), initial=1e-3)
            if np.any(np.abs(b - 1j * a) > rounding):
                raise self._refused("it depends on the conjugate, or on one part, of an argument")
        return map_leaves(np.conj, self._matrix(value, pullback))

    def _refused(self, why: str) -> NonDifferentiableError:
        return NonDifferentiableError(
            f"{self.target.place} is not holomorphic",
            why=why,
            cure="differentiate its real and its imaginary part, without holomorphic=True",
        )


def _irregular(leaf: Any) -> Any:
    """Real weights that will hardly cancel each other."""
    weights = 1.0 + np.cos(np.arange(1.0, np.size(leaf) + 1)).reshape(np.shape(leaf)) / 2
    return np.asarray(weights, np.asarray(leaf).dtype) if np.ndim(leaf) else complex(weights)


class ElementwiseGradient(Derivative):
    """The gradient of the sum of all elements of the value.

    For a function that acts on each element alone, this is its derivative at each element.
    """

    def __derivation__(self) -> tuple[str, bool]:
        return "elementwise", self._is_single()

    def __standing__(self) -> Callable[..., Any]:
        return caller_of(self)

    def compose(self, kinds: list[Kind]) -> Offer:
        made: Offer = of_sum(self, kinds, Derivative).compose(kinds)
        return made

    @hidden
    def __call__(self, *args: Any, **keywords: Any) -> Any:
        value, function, aux = pulled(self, super().__call__(*args, **keywords))
        _check_value(self, value, "elementwise gradient")
        adjoints = Pullback(function, value)(map_leaves(_ones, value))
        return with_aux(self, adjoints if isinstance(self._wrt, tuple) else adjoints[0], aux)


def pulled(derivative: Derivative, pair: tuple[Any, Any]) -> tuple[Any, Any, Any]:
    """Value, pullback and what the function returns beside the value, with `has_aux`."""
    value, function = pair
    if not derivative.has_aux:
        return value, function, None
    value, aux = apart(derivative, value)
    return value, lambda seed: function((seed, zeros_like(aux))), aux


def apart(derivative: Derivative, value: Any) -> Any:
    """The two parts of a value, with `has_aux`."""
    if isinstance(value, tuple) and len(value) == 2:
        return value
    raise NonDifferentiableError(
        f"{derivative.target.place} returns no pair (value, aux)",
        why="it is differentiated with has_aux=True",
        cure="return value, aux; or leave has_aux out",
    )


def with_aux(derivative: Derivative, found: Any, aux: Any) -> Any:
    """What a call gives."""
    return (found, aux) if derivative.has_aux else found


def unit_seed(value: Any, at: int, index: tuple[int, ...]) -> Any:
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

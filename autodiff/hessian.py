"""Derivatives built from tangents: Jacobians by columns, Hessians, Hessian-vector products."""

from __future__ import annotations

import contextlib
import itertools
from typing import Any

import numpy as np

from autodiff.derivative import Derivative
from autodiff.errors import AutodiffError, NonDifferentiableError
from autodiff.jacobian import Jacobian
from autodiff.pullback import Pullback
from autodiff.runtime import zeros_like
from autodiff.structure import is_leaf, leaves, map_leaves
from autodiff.tangents import Array, Several, Tangent, swept


class ForwardJacobian(Several):
    """All partial derivatives, by forward sweeps along all numbers of the arguments.

    Where the compiler has made code for several directions, one sweep takes all of them, or a
    block of them; else there is one sweep for each.

    The result has the shape of the value followed by the shape of the argument. A value that is a
    structure gives a structure of Jacobians, and so does an argument.
    """

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        bound = self._bind(args, keywords)
        given = dict(zip(self.target.signature.parameters, bound.values))
        primals = tuple(given[name] for name in self.wrt)
        if any(map(np.iscomplexobj, leaves(primals))):
            raise NonDifferentiableError(
                f"cannot take the Jacobian of {self.target.place} by tangents",
                why="an argument is complex",
                cure="use jacobian, which takes reverse sweeps",
            )
        total = sum(map(np.size, leaves(primals)))

        def units(start: int, stop: int) -> Array:
            return np.eye(stop - start, total, start)

        sweeps = list(swept(self, bound, primals, total, units))
        value, _ = sweeps[0]
        if not all(_same(value, again) for again, _ in sweeps):
            raise AutodiffError(
                f"{self.target.place} does not give the same value twice",
                why="each sweep runs it again",
                cure="draw random numbers outside and pass them, or use vjp",
            )
        check_floats(self, value)
        parts = [tangents for _, tangents in sweeps]
        columns = map_leaves(lambda leaf, *own: np.concatenate(own), value, *parts)
        return map_leaves(lambda leaf, own: self._rows(leaf, own, primals), value, columns)

    def _rows(self, leaf: Any, columns: Array, primals: tuple[Any, ...]) -> Any:
        """The derivatives of one leaf of the value, in the structure of the adjoints."""
        after = 0

        def partial(zero: Any, argument: Any) -> Any:
            nonlocal after
            shape = np.shape(leaf) + np.shape(zero)
            if not is_leaf(argument):  # an integer, along which there is no tangent
                return np.zeros(shape) if shape else 0.0
            own = columns[after : after + np.size(argument)]
            after += len(own)
            if not shape:
                return own.item() if type(leaf) in (float, complex) else own[0]
            return np.ascontiguousarray(np.moveaxis(own, 0, -1)).reshape(shape)

        whole = map_leaves(partial, zeros_like(primals), primals)
        return whole if isinstance(self._wrt, tuple) else whole[0]


def _same(one: Any, other: Any) -> bool:
    """Whether two values have the same numbers."""
    pairs = itertools.zip_longest(leaves(one), leaves(other))
    return all(np.array_equal(a, b, equal_nan=True) for a, b in pairs)


class CheaperJacobian(Jacobian):
    """All partial derivatives by the mode that takes fewer sweeps.

    Reverse mode, unless there are more numbers in the value than in the arguments; the other mode
    where the first refuses the function.
    """

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        try:
            value, function = Derivative.__call__(self, *args, **keywords)
        except AutodiffError:
            with contextlib.suppress(AutodiffError):
                return self._by_columns(args, keywords)
            raise
        bound = self._bind(args, keywords)
        given = dict(zip(self.target.signature.parameters, bound.values))
        found, primals = list(leaves(value)), list(leaves([given[name] for name in self.wrt]))
        if sum(map(np.size, found)) > sum(map(np.size, primals)):
            if not any(map(np.iscomplexobj, (*found, *primals))):
                with contextlib.suppress(AutodiffError):
                    return self._by_columns(args, keywords)
        return self._of(value, Pullback(function, value))

    def _by_columns(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        wrt = self.wrt if isinstance(self._wrt, tuple) else self.wrt[0]
        columns = ForwardJacobian(self.primal, "jvp", wrt, False, self._given_options)
        return columns(*args, **keywords)


class HessianProduct(Tangent):
    """The Hessian of a function times a vector: the tangent of its gradient along the vector."""

    def _is_single(self) -> bool:
        return True  # no gradient

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        if not args:
            raise AutodiffError(
                "hvp needs a vector", cure="pass it after the arguments: hvp(f)(x, v)"
            )
        *rest, vector = args
        vectors = vector if isinstance(self._wrt, tuple) else (vector,)
        if len(vectors) != len(self.wrt):
            raise AutodiffError(
                f"hvp got {len(vectors)} vectors for {len(self.wrt)} arguments",
                cure="pass a tuple with one vector for each argument in wrt",
            )
        product: Any = self.along(tuple(rest), keywords, tuple(vectors))
        return product


def check_floats(derivative: Tangent, value: Any) -> None:
    """Refuse a value without floats, which has no Jacobian."""
    if not list(leaves(value)):
        raise NonDifferentiableError(
            f"cannot take the Jacobian of {derivative.target.place}",
            why="there is no float in its value",
            cure="return floats or arrays of floats",
        )

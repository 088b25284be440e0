"""Derivatives built from tangents: Jacobians by columns, Hessians, Hessian-vector products."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from autodiff.errors import AutodiffError, NonDifferentiableError
from autodiff.jacobian import unit_seed
from autodiff.runtime import zeros_like
from autodiff.structure import leaves, map_leaves
from autodiff.tangents import Tangent


class ForwardJacobian(Tangent):
    """All partial derivatives, by one forward sweep per number of the arguments.

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
        columns: list[list[Any]] = []
        value: Any = None
        for at, leaf in enumerate(leaves(primals)):
            found = []
            for index in np.ndindex(np.shape(leaf)):
                value, tangent = self.along(args, keywords, unit_seed(primals, at, index))
                found.append(list(leaves(tangent)))
            columns.append(found)
        if not any(columns):
            value, _ = self.along(args, keywords, zeros_like(primals))
        check_floats(self, value)
        count = itertools.count()
        return map_leaves(lambda leaf: self._rows(leaf, next(count), primals, columns), value)

    def _rows(self, leaf: Any, row: int, primals: Any, columns: list[list[Any]]) -> Any:
        """The derivatives of one leaf of the value, in the structure of the arguments."""
        count = itertools.count()

        def partial(argument: Any) -> Any:
            found = [tangent[row] for tangent in columns[next(count)]]
            shape = np.shape(leaf) + np.shape(argument)
            if not shape:
                return found[0]
            return np.stack(found, -1).reshape(shape) if found else np.zeros(shape)

        whole = map_leaves(partial, primals)
        return whole if isinstance(self._wrt, tuple) else whole[0]


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

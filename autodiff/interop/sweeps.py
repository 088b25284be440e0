"""What another library asks of a function: values, adjoints, and the tangents of these.

All in NumPy. Arguments are held by parameter (`inspect.BoundArguments`), and what the library
knows of them are their pieces, from first to last.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from inspect import BoundArguments, Parameter
from types import FunctionType
from typing import Any

import numpy as np

from autodiff.api import grad
from autodiff.derivatives.derivative import Derivative
from autodiff.errors import AutodiffError
from autodiff.frontend.source import Namespace
from autodiff.loader import load
from autodiff.runtime import copied, zeros_like
from autodiff.structure import is_leaf, leaves, map_leaves, pieces, refilled
from autodiff.transforms.pullback import Pullback
from autodiff.transforms.tangents import jvp

NUMBERS = (np.ndarray, np.number, np.bool_, bool, int, float, complex)
_BY_NAME = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)


class Sweeps:
    """A function, and its derivatives with respect to some of its parameters."""

    def __init__(self, f: Callable[..., Any], options: Mapping[str, Any]) -> None:
        self.f = f
        self.options = options
        self.signature = inspect.signature(f)
        self._made: dict[tuple[str, ...], Derivative] = {}
        self._written: dict[Any, FunctionType] = {}
        Derivative(f, "vjp", 0 if self.signature.parameters else (), False, options)  # or refused

    def bind(self, args: tuple[Any, ...], keywords: Mapping[str, Any]) -> BoundArguments:
        """The arguments of a call, by parameter."""
        return self.signature.bind(*args, **keywords)

    def value(self, given: BoundArguments) -> Any:
        """What the function gives; it gets copies, in which it may work in place."""
        return self.f(*copied(given.args), **copied(given.kwargs))

    def pulled(self, names: tuple[str, ...], given: BoundArguments) -> tuple[Any, Pullback]:
        """Value and pullback, which gives one adjoint for each name."""
        if names not in self._made:
            self._made[names] = Derivative(self.f, "vjp", names, False, self.options)
        value, function = self._made[names](*given.args, **given.kwargs)
        if any(map(np.iscomplexobj, leaves(value))):
            raise AutodiffError(
                f"{self._made[names].target.place} gives complex numbers",
                why="libraries differ in what their derivative is",
                cure="return real and imaginary part",
            )
        return value, Pullback(function, value)

    def again(
        self,
        names: tuple[str, ...],
        given: BoundArguments,
        value: Any,
        seed: Any,
        vectors: Mapping[str, Any],
    ) -> tuple[tuple[Any, ...], Any]:
        """The derivatives of `sum(adjoints * vectors)`, of the adjoints for a seed: by the
        arguments of these names, and by the seed.

        value: what the function gives. vectors: by name, each in the form of its argument.
        """
        held = [*given.arguments]
        dots = tuple(map(vectors.get, held))
        values = tuple(given.arguments.values())
        weighted = self._text(given, [path for path, piece in pieces(value) if is_leaf(piece)])
        gradient = grad(weighted, wrt=tuple(map(held.index, names)), **self.options)
        (_, by_arguments) = jvp(gradient, (*values, seed), (*dots, None), **self.options)
        (_, by_seed) = jvp(self._text(given, None), values, dots, **self.options)
        return by_arguments, by_seed

    def _text(self, given: BoundArguments, paths: list[str] | None) -> FunctionType:
        """The function, of all its arguments by position; the sum of a seed's pieces, at some
        paths, times those of its value.
        """
        key = (*given.arguments, None, *(paths or ()), paths is None)
        if key in self._written:
            return self._written[key]
        names = [f"a_{k}" for k in range(len(given.arguments))]
        is_starred = any(self._kind(name) is Parameter.VAR_POSITIONAL for name in given.arguments)
        passed = []
        for own, name in zip(names, given.arguments):
            kind = self._kind(name)
            by_name = kind in _BY_NAME and not (is_starred and kind is not Parameter.KEYWORD_ONLY)
            stars = {Parameter.VAR_POSITIONAL: "*", Parameter.VAR_KEYWORD: "**"}.get(kind, "")
            passed.append(f"{name}={own}" if by_name else stars + own)
        call = f"f({', '.join(passed)})"
        if paths is None:
            text = f"def plain({', '.join(names)}):\n    return {call}\n"
        else:
            sums = " + ".join(f"np.sum(seed{path} * value{path})" for path in paths)
            text = f"def weighted({', '.join((*names, 'seed'))}):\n    value = {call}\n"
            text += f"    return {sums}\n"
        made = load(text, "weighted", Namespace({}), {"f": self.f, "np": np}, {})
        return self._written.setdefault(key, made)

    def _kind(self, name: str) -> Any:
        return self.signature.parameters[name].kind


class Call:
    """One call, as the pieces that are the library's: of the classes `whole`."""

    def __init__(self, sweeps: Sweeps, given: BoundArguments, whole: tuple[type, ...]) -> None:
        self.sweeps = sweeps
        self.given = given
        self.whole = whole
        self.own = [
            (name, piece)
            for name, x in given.arguments.items()
            for _, piece in pieces(x, self.whole)
        ]
        self.foreign: list[Any] = [piece for _, piece in self.own if isinstance(piece, whole)]
        self.places = [name for name, piece in self.own if isinstance(piece, whole)]
        self.value: Any = None

    def names(self, wanted: Iterable[bool]) -> tuple[str, ...]:
        """The parameters that have a foreign piece which is wanted."""
        return tuple(dict.fromkeys(name for name, own in zip(self.places, wanted) if own))

    def arguments(self, arrays: Iterable[Any]) -> BoundArguments:
        """The arguments, with NumPy's arrays in place of the foreign pieces."""
        left = iter(arrays)
        items = (next(left) if isinstance(x, self.whole) else x for _, x in self.own)
        parts = {name: refilled(x, items, self.whole) for name, x in self.given.arguments.items()}
        return BoundArguments(self.given.signature, parts)  # type: ignore[arg-type]

    def results(self) -> list[tuple[bool, Any]]:
        """The pieces of the value, and whether they are numbers or arrays."""
        return [(isinstance(own, NUMBERS), own) for _, own in pieces(self.value)]

    def seed(self, seeds: Iterable[Any]) -> Any:
        """Adjoints of the floats of the value as one of the value."""
        left = iter(seeds)
        return map_leaves(lambda _: next(left), self.value)

    def of_foreign(self, names: tuple[str, ...], adjoints: Iterable[Any]) -> list[Any]:
        """The adjoint of each foreign piece, of one adjoint for each name; None for others."""
        left = {name: iter([own for _, own in pieces(x)]) for name, x in zip(names, adjoints)}
        each = [(x, next(left[name]) if name in left else None) for name, x in self.own]
        return [own for x, own in each if isinstance(x, self.whole)]

    def of_results(self, tangent: Any) -> list[Any]:
        """The tangent of each float of the value, of one of the value."""
        both = zip(self.results(), pieces(tangent))
        return [own for (_, x), (_, own) in both if is_leaf(x)]

    def vectors(self, own: Iterable[Any], given: BoundArguments) -> dict[str, Any]:
        """Vectors for foreign pieces, some None, as tangents of arguments; zero for the rest."""
        left = iter(own)
        all_ = [next(left) if isinstance(x, self.whole) else None for _, x in self.own]
        moved = {name for (name, _), own in zip(self.own, all_) if own is not None}
        items = iter(all_)
        found = {}
        for name, x in given.arguments.items():
            both = [(next(items), piece) for _, piece in pieces(x)]
            filled = (zeros_like(piece) if own is None else own for own, piece in both)
            if name in moved:
                found[name] = refilled(x, filled)
        return found

"""Helpers for functions that Numba lacks, or compiles for some arrays only: declared where they
are, for vectors; along an axis of other arrays each is called for every vector there.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import gast
import numpy as np

from autodiff.kinds.kind import Array, Kind, Scalar
from autodiff.native.bindings import Helpers
from autodiff.native.made import along
from autodiff.native.native_kinds import NativeKinds, literal
from autodiff.syntax.quote import quote

Given = Mapping[str, gast.expr]
"""The arguments of a call by the names of its parameters."""
Handler = Callable[[Given, NativeKinds, Helpers], "gast.expr | None"]
F = TypeVar("F", bound=Callable[..., Any])


def floats(*ndims: int, dtype: str = "float64") -> Callable[[Any], bool]:
    """Whether a kind is that of an array with so many axes."""
    return lambda kind: isinstance(kind, Array) and kind.dtype == dtype and len(kind.shape) in ndims


def _is_number(kind: Any) -> bool:
    return isinstance(kind, Scalar) and kind.type == "float"


KINDS: dict[str, Callable[[Any], bool]] = {
    "vector": floats(1),
    "matrix": floats(2),
    "side": floats(1, 2),
    "array": floats(1, 2, 3, 4),
    "number": _is_number,
    "point": lambda kind: _is_number(kind) or floats(1)(kind),
    "indices": floats(1, dtype="int64"),
    "any": lambda kind: True,
}


@dataclass(frozen=True)
class Stand:
    """A helper for a function; wanted: what its arguments may be, by parameter of the function's.
    That is a key of `KINDS`; a tuple of constants, one of which is the default, or None for what
    does not matter: these the helper does not have. Nothing else may be given but an axis.
    """

    function: Any
    helper: Any
    wanted: Mapping[str, Any]

    @property
    def parameters(self) -> dict[str, Any]:
        """The names of the function's parameters, in their order, and what they are by default."""
        return defaults(self.function) or dict.fromkeys(self.wanted)

    def call(
        self, kind: Kind | None, given: Given, known: NativeKinds, helpers: Helpers
    ) -> gast.expr | None:
        """What stands for a call that gives this kind; None if nothing does.

        np.cumsum(x, 1)                     cumsum_along_1(x)
        """
        axis = literal(given.get("axis"), self.parameters.get("axis"))
        keepdims = literal(given.get("keepdims"), False)
        own = {name: node for name, node in given.items() if name not in ("axis", "keepdims")}
        if axis is None and keepdims is False:
            return self.called(self.helper, self.passed(own, known), helpers)
        ranks = {len(own.shape) for own in map(known.of, own.values()) if isinstance(own, Array)}
        if len(ranks) != 1 or type(axis) is not int or type(keepdims) is not bool:
            return None
        (rank,) = ranks
        passed = self.passed(own, known, True)
        if passed is None or not -rank <= axis < rank:
            return None
        if rank == 1 and not keepdims:
            return self.called(self.helper, passed, helpers)
        if not isinstance(kind, Array) or kind.dtype not in ("float64", "int64", "bool"):
            return None
        lanes = tuple(isinstance(known.of(node), Array) for node in passed.values())
        form = "kept" if keepdims else "vectors" if len(kind.shape) == rank else "numbers"
        made = along(self.helper, lanes, rank, axis % rank, kind.dtype, form)
        return self.called(made, passed, helpers)

    def passed(
        self, given: Given, known: NativeKinds, along: bool = False
    ) -> dict[str, gast.expr] | None:
        """The helper's arguments; None where it does not stand for the call. along: of vectors."""
        found: dict[str, gast.expr] = {}
        for name, wanted in self.wanted.items():
            if isinstance(wanted, tuple):
                if not _is_one_of(given.get(name), wanted):
                    return None
            elif wanted is not None:
                kind = known.of(given[name]) if name in given else None
                own = Array(kind.dtype, (None,)) if along and isinstance(kind, Array) else kind
                if name not in given or not KINDS[wanted](own):
                    return None
                found[name] = given[name]
        return found if given.keys() <= self.wanted.keys() else None

    @staticmethod
    def called(helper: Any, passed: Given | None, helpers: Helpers) -> gast.expr | None:
        """A call of a helper."""
        if passed is None:
            return None
        use = helpers.use(helper.__name__, helper)
        return quote(f"f({', '.join(passed)})", f=use, **passed)


def _is_one_of(node: gast.expr | None, allowed: tuple[Any, ...]) -> bool:
    if isinstance(node, gast.Constant) and isinstance(node.value, str):
        return node.value in allowed
    return node is None or literal(node, None) in allowed


def defaults(function: Any) -> dict[str, Any]:
    """The parameters of a function and their defaults; empty where it does not tell."""
    try:
        found = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return {}
    return {name: own.default for name, own in found.items()}


STANDS: dict[Any, list[Stand]] = {}
"""What stands for functions: of several helpers the first that may."""


def stands_for(function: Any, **wanted: Any) -> Callable[[F], F]:
    """Say what a helper stands for, as `Stand` has it."""

    def declared(helper: F) -> F:
        STANDS.setdefault(function, []).append(Stand(function, helper, wanted))
        return helper

    return declared


@functools.cache
def itself(function: Any) -> list[Stand]:
    """A function that Numba has, which gives numbers for vectors, or other vectors as long."""
    parameters = defaults(function)
    with contextlib.suppress(TypeError, ValueError):
        if "axis" in parameters and np.shape(function(np.arange(7.0))) in ((), (7,)):
            return [Stand(function, function, {next(iter(parameters)): "array"})]
    return []

"""One operation as a function of its own, and its derivatives, which the compiler makes."""

from __future__ import annotations

import itertools
import linecache
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from autodiff.derivatives.derivative import Derivative
from autodiff.errors import AutodiffError
from autodiff.rules.taking import of_a_run
from autodiff.tracing.guard import unwatched

_COUNT = itertools.count()


class Missing(Exception):
    """An operation that has no derivative. reason: why."""


class Operation:
    """An operation of some form, and the derivatives of it that were asked for so far."""

    __slots__ = ("derivatives", "elementwise", "function", "text")

    def __init__(self, text: str, namespace: dict[str, Any], elementwise: bool) -> None:
        self.text, self.elementwise = text, elementwise
        self.function = _defined(text, namespace)
        self.derivatives: dict[Any, Derivative] = {}

    def derivative(self, mode: str, active: tuple[int, ...]) -> Derivative:
        """One derivative, with respect to some of the operands."""
        found = self.derivatives.get((mode, active))
        if found is None:
            wrt = tuple(f"a{k}" for k in active)
            if mode == "second":
                inner = Derivative(_weighted(self), "grad", wrt, False, _PLAIN)
                found = Derivative(inner, "jvp", (*wrt, "seed"), False, _PLAIN)
            else:
                found = Derivative(self.function, mode, wrt, False, _PLAIN)  # type: ignore[arg-type]
            self.derivatives[mode, active] = found
        return found

    def pulled(
        self, active: tuple[int, ...], values: tuple[Any, ...]
    ) -> tuple[Any, Callable[[Any], Any]]:
        """Value and pullback at some operands."""
        try:
            with unwatched(), of_a_run():
                pair: tuple[Any, Any] = self.derivative("vjp", active)(*values)
        except AutodiffError as error:
            raise Missing(error.what) from None
        return pair

    def pushed(
        self, mode: str, active: tuple[int, ...], values: tuple[Any, ...], dots: list[Any]
    ) -> tuple[Any, Any]:
        """The value and its tangent; in mode `second` the adjoints and their tangents."""
        derivative = self.derivative(mode, active)
        try:
            with unwatched(), of_a_run():
                compiled = derivative._compile(derivative._bind(values, {}))
        except AutodiffError as error:
            raise Missing(error.what) from None
        code = (*compiled.generated, compiled.function)[0].__code__
        named = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        given = dict(zip(named[len(named) - len(dots) :], dots))
        with unwatched():
            pair: tuple[Any, Any] = compiled.function(*values, **given)
        return pair


_PLAIN: dict[str, Any] = {"trace": False}


def _defined(text: str, namespace: dict[str, Any]) -> FunctionType:
    """The function that a text defines, whose source can be read again."""
    file = f"<autodiff operation {next(_COUNT)}>"
    lines = text.splitlines(True)
    linecache.cache[file] = len(text), None, lines, file
    own = dict(namespace, __name__="autodiff.operation", np=np)
    exec(compile(text, file, "exec"), own)
    made: FunctionType = own["operation"]
    return made


def _weighted(operation: Operation) -> FunctionType:
    """The sum of the values of an operation, each with a weight: its gradient are adjoints."""
    count = operation.function.__code__.co_argcount
    names = ", ".join(f"a{k}" for k in range(count))
    text = (
        f"def operation({names}, seed):\n    return np.sum(np.real(np.conj(seed) * own({names})))\n"
    )
    return _defined(text, {"own": operation.function})

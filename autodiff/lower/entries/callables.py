"""Methods, partials and derivatives as functions and what they hold; the parameters of each."""

from __future__ import annotations

import functools
import inspect
from dataclasses import dataclass
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any

import gast

from autodiff.core.notyet import NotYet
from autodiff.core.value import Value, constant
from autodiff.lower.entries import boxes
from autodiff.lower.entries.entry import Bound, Box, Closure, Entry, Mixed, Outer
from autodiff.lower.entries.outer import reading
from autodiff.rules import registry

if TYPE_CHECKING:
    from autodiff.lower.expression.values import Values


@dataclass(frozen=True, slots=True)
class Derivation:
    """Calls the derivative of its first argument as `derivative` says, which is one of another
    function with the same parameters. made: makes it of another function.
    """

    derivative: Any
    made: Any = None


def holds_another(value: Any) -> bool:
    """Whether a callable of outside is another one and what that is given."""
    if isinstance(value, MethodType):  # `stats.norm.pdf` has a rule of its own
        return isinstance(value.__func__, FunctionType) and registry.rule_for(value) is None
    return is_derivative(value) or isinstance(value, functools.partial)


def is_derivative(value: Any) -> bool:
    """Whether an object of outside is the derivative of something."""
    return hasattr(type(value), "__derivation__")


def opened(expressions: Values, found: Any, path: str) -> Entry:
    """A callable of outside, in terms of functions and what they hold."""
    if isinstance(found, MethodType):
        receiver = reading(expressions, found.__self__, f"{path}.__self__")
        return Bound(opened(expressions, found.__func__, f"{path}.__func__"), (receiver,))
    if isinstance(found, functools.partial):
        first = [opened(expressions, v, f"{path}.args[{k}]") for k, v in enumerate(found.args)]
        named = [
            (key, opened(expressions, value, f"{path}.keywords[{key!r}]"))
            for key, value in found.keywords.items()
        ]
        return Bound(opened(expressions, found.func, f"{path}.func"), (*first,), (*named,))
    if hasattr(found, "derivative") and hasattr(found, "instance"):
        receiver = reading(expressions, found.instance, f"{path}.instance")
        return Bound(opened(expressions, found.derivative, f"{path}.derivative"), (receiver,))
    if is_derivative(found):
        inner = opened(expressions, found.primal, f"{path}.primal")
        return Bound(constant(Derivation(found)), (inner,))
    if isinstance(found, FunctionType):
        return boxes.of_class(expressions, found)
    return reading(expressions, found, path)


def parameters_of(function: Entry) -> list[inspect.Parameter]:
    """The parameters of what is called."""
    if isinstance(function, Value) and function.is_constant and callable(function.constant):
        return [*inspect.signature(function.constant).parameters.values()]
    if isinstance(function, Closure):
        return parameters_in(function.node.args, {key for key, _ in function.defaults})
    if isinstance(function, Bound):
        if isinstance(function.function, Value) and isinstance(
            function.function.constant, Derivation
        ):
            return parameters_of(function.arguments[0])
        found = parameters_of(function.function)[len(function.arguments) :]
        held = dict(function.keywords)
        return [each.replace(default=None) if each.name in held else each for each in found]
    if isinstance(function, (Box, Outer)):
        own = inspect.getattr_static(function.cls, "__call__", None)
        if isinstance(own, FunctionType):
            return [*inspect.signature(own).parameters.values()][1:]
    if isinstance(function, Mixed):
        raise function.refusal()
    raise NotYet("a derivative of another object")


def parameters_in(arguments: gast.arguments, left_out: set[str]) -> list[inspect.Parameter]:
    """The parameters of a definition."""
    if arguments.vararg or arguments.kwarg:
        raise NotYet("* or ** parameters")
    kinds = inspect.Parameter
    rows = (
        (arguments.posonlyargs, kinds.POSITIONAL_ONLY),
        (arguments.args, kinds.POSITIONAL_OR_KEYWORD),
        (arguments.kwonlyargs, kinds.KEYWORD_ONLY),
    )
    return [
        kinds(a.id, kind, default=None if a.id in left_out else kinds.empty)
        for row, kind in rows
        for a in row
    ]

"""What an expression in normal form does: the primitive it applies, and its rule."""

from __future__ import annotations

import inspect
import operator
import types
from collections.abc import Callable
from typing import Any, NamedTuple

import gast

from autodiff.analysis.kind import Kind
from autodiff.errors import UnsupportedSyntaxError
from autodiff.rules import registry
from autodiff.syntax.origin import origin_of, place

BINARY: dict[type, Callable[..., Any]] = {
    gast.Add: operator.add,
    gast.Sub: operator.sub,
    gast.Mult: operator.mul,
    gast.Div: operator.truediv,
    gast.FloorDiv: operator.floordiv,
    gast.Mod: operator.mod,
    gast.Pow: operator.pow,
    gast.MatMult: operator.matmul,
    gast.LShift: operator.lshift,
    gast.RShift: operator.rshift,
    gast.BitAnd: operator.and_,
    gast.BitOr: operator.or_,
    gast.BitXor: operator.xor,
}
UNARY: dict[type, Callable[..., Any]] = {
    gast.USub: operator.neg,
    gast.UAdd: operator.pos,
    gast.Invert: operator.invert,
    gast.Not: operator.not_,
}


class Operation(NamedTuple):
    """A primitive applied to operands: `function(*arguments, **keywords)`."""

    function: Any
    arguments: tuple[gast.expr, ...]
    keywords: tuple[tuple[str, gast.expr], ...] = ()

    @property
    def rule(self) -> Any:
        """The rule of the primitive, None where it has none."""
        for argument in self.arguments:
            if argument.__class__ is gast.Starred:
                return registry.rule_for(self.function)
        return registry.rule_for(self.function, operands=len(self.arguments))

    @property
    def pure(self) -> bool:
        """Whether the primitive is known to have no side effects."""
        return registry.is_pure(self.function)


def ordered(
    operation: Operation, arguments: list[Kind], keywords: list[tuple[str, Kind]]
) -> list[Kind] | None:
    """The kinds of the arguments of a Python function in the order of its first parameters.

    None if that is not what they are: where parameters before the last one given are left out.
    """
    if not isinstance(operation.function, types.FunctionType):
        return None
    code = operation.function.__code__
    if code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
        return None
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    given = dict(zip(names, arguments)) | dict(keywords)
    first = names[: len(arguments) + len(keywords)]
    return [given[name] for name in first] if given.keys() == set(first) else None


def check_spread_out(statement: gast.Assign) -> None:
    """Refuse starred arguments of a function that is called: which parameter gets what is open."""
    call = statement.value
    starred = [a for a in call.args if isinstance(a, gast.Starred)]
    if starred or any(keyword.arg is None for keyword in call.keywords):
        raise UnsupportedSyntaxError(
            "starred arguments whose number is not known while compiling",
            place(call, origin_of(statement)),
            why="they carry a derivative into a function that is called",
            cure="pass the arguments one by one",
        )


def by_parameter(operation: Operation) -> dict[str, gast.expr | None]:
    """What a call of a Python function gives its parameters, in their order, up to the last one.

    It is None for those that are left to their defaults.
    """
    code = operation.function.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    given = dict(zip(names, operation.arguments)) | dict(operation.keywords)
    last = max((k for k, own in enumerate(names) if own in given), default=-1)
    return {own: given.get(own) for own in names[: last + 1]}

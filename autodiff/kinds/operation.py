"""What an expression in normal form does: the primitive it applies, and its rule."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, NamedTuple

import gast

from autodiff.rules import registry

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

"""Skeletons of expressions: the names "0", "1" ... in them stand for operands."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Hashable
from functools import cache, reduce
from types import NoneType

import gast

from autodiff.core.function import References
from autodiff.core.value import Value
from autodiff.syntax.names import name
from autodiff.syntax.walk import map_children, walk

HOLES = tuple(str(number) for number in range(1000))


@cache
def hole(number: int) -> gast.Name:
    """What stands for an operand."""
    return name(HOLES[number])


def skeleton(text: str, references: References) -> gast.expr:
    """An expression in which `_0`, `_1` ... stand for operands, and builtins for themselves."""

    def visit(node: gast.AST) -> gast.AST:
        own: str = getattr(node, "id", "")
        if not own:
            return map_children(visit, node)
        if own.startswith("_"):
            return hole(int(own[1:]))
        return name(references.use(own, getattr(builtins, own)))

    (statement,) = gast.parse(text).body
    form: gast.expr = visit(statement.value)
    return form


def number_of(node: gast.AST) -> int | None:
    """The operand that a node stands for; None for all others."""
    own: str = getattr(node, "id", "")
    return int(own) if own[:1].isdigit() else None


def names_in(form: gast.AST) -> list[str]:
    """The names in an expression, also those that stand for operands."""
    return [node.id for node in walk(form) if isinstance(node, gast.Name)]


def filled(form: gast.AST, fill: Callable[[int], gast.expr]) -> gast.AST:
    """The skeleton with an expression for each hole."""
    number = number_of(form)
    if number is not None:
        return fill(number)
    return map_children(lambda child: filled(child, fill), form)


def written(value: object) -> gast.expr:
    """A constant as an expression."""
    if isinstance(value, tuple):
        return gast.Tuple(elts=[written(item) for item in value], ctx=gast.Load())
    if isinstance(value, (int, float)) and str(value)[0] == "-":
        return gast.UnaryOp(gast.USub(), gast.Constant(-value, None))
    return gast.Constant(value, None)


def argument(value: Value, operands: list[Value]) -> gast.expr:
    """An argument: a constant that is written, or one more of the operands."""
    if value.is_constant and not callable(value.constant):
        return written(value.constant)
    operands.append(value)
    return hole(len(operands) - 1)


def dotted(path: str) -> gast.expr:
    """`a.b.c`."""
    root, *rest = path.split(".")
    return reduce(lambda base, word: gast.Attribute(base, word, gast.Load()), rest, name(root))


def placeholder(value: Value) -> gast.expr:
    """An operand in an expression that kinds are asked about: its token, or the constant."""
    return written(value.constant) if value.is_constant else name(value.token)


def bound(form: gast.AST, operands: list[Value]) -> gast.AST:
    """The skeleton with tokens and constants for its operands."""
    return filled(form, lambda number: placeholder(operands[number]))


def structure(node: gast.AST) -> Hashable:
    """An expression as what can be compared."""
    if hasattr(node, "id"):
        return str(node.id)
    if isinstance(node, gast.Constant):
        return type(node.value), repr(node.value)
    return str(gast.dump(node))


def constant_key(value: Value) -> Hashable:
    """A constant as what can be compared: `1`, `1.0` and `True` are three. None for an object of
    which nobody knows when another is the same.
    """
    own = value.constant
    parts = own if isinstance(own, tuple) else (own,)
    if not all(isinstance(part, (int, float, complex, str, NoneType)) for part in parts):
        return None
    return type(own), repr(own)

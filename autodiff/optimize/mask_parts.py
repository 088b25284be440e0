"""Masks as expressions: the condition, what is let through, and the 0 elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autodiff.optimize import literals
from autodiff.optimize.change import changed
from autodiff.syntax.walk import of_class, same


def holds_mask(node: gast.AST) -> bool:
    return any(part.__dict__.get("masks") for part in of_class(node, gast.Call, gast.IfExp))


def is_mask(node: gast.AST) -> bool:
    return getattr(node, "masks", False) and let_through(node) is not None


def is_sum(node: gast.AST) -> bool:
    return isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Sub))


def alike(mask: Any, other: Any) -> bool:
    """Whether two masks let the same through, by what their text says."""
    if type(mask) is not type(other):
        return False
    if isinstance(mask, gast.IfExp):
        inverse = let_through(mask) is mask.body, let_through(other) is other.body
        return inverse[0] is inverse[1] and same(mask.test, other.test)
    places = [k for k, part in enumerate(mask.args) if part is let_through(mask)]
    again = [k for k, part in enumerate(other.args) if part is let_through(other)]
    if places != again or len(mask.args) != len(other.args) or not same(mask.func, other.func):
        return False
    return all(map(same, conditions(mask), conditions(other)))


def conditions(mask: Any) -> list[gast.expr]:
    """What a mask chooses by."""
    if isinstance(mask, gast.IfExp):
        return [mask.test]
    conditions: list[gast.expr] = mask.args[1:] if is_triangle(mask) else mask.args[:1]
    return conditions


def is_triangle(mask: Any) -> bool:
    """Whether a mask is `np.tril(y_bar, k)` or `np.triu(y_bar, k)`."""
    return isinstance(mask, gast.Call) and getattr(mask.func, "attr", "") in ("tril", "triu")


def let_through(mask: Any) -> gast.expr | None:
    """What a mask lets through; the other alternative is 0."""
    if is_triangle(mask):
        own: gast.expr = mask.args[0]
        return own
    if isinstance(mask, gast.IfExp):
        sides = [mask.body, mask.orelse]
    else:
        sides = mask.args[1:] if isinstance(mask, gast.Call) and len(mask.args) == 3 else []
    zeros = [literals.number(side) == 0 for side in sides]
    if zeros.count(True) != 1:
        return None
    chosen: gast.expr = sides[zeros.index(False)]
    return chosen


def product(node: gast.BinOp, chosen: gast.expr, mask: gast.expr, side: str) -> gast.expr:
    """The product with one factor replaced; in an array, 1 times the other is the other."""
    is_one = isinstance(node.op, gast.Mult) and literals.number(chosen) == 1
    if is_one and isinstance(mask, gast.Call):
        other: gast.expr = node.right if side == "left" else node.left
        return other
    result: gast.expr = changed(node, **{side: chosen})
    return result


def under(mask: Any, wrap: Callable[[gast.expr], gast.expr]) -> gast.expr:
    """The mask with what it lets through made into something else."""
    chosen = let_through(mask)
    assert chosen is not None

    def new(side: gast.expr) -> gast.expr:
        return wrap(side) if side is chosen else side

    return with_sides(mask, new)


def with_sides(mask: Any, new: Callable[[gast.expr], gast.expr]) -> gast.expr:
    result: gast.expr
    if isinstance(mask, gast.IfExp):
        result = changed(mask, body=new(mask.body), orelse=new(mask.orelse))
    else:
        result = changed(mask, args=[new(argument) for argument in mask.args])
    return result


def with_condition(mask: Any, condition: gast.expr) -> gast.expr:
    """The mask by another condition."""
    result: gast.expr
    if isinstance(mask, gast.IfExp):
        result = changed(mask, test=condition)
    else:
        result = changed(mask, args=[condition, *mask.args[1:]])
    return result

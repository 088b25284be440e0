"""Expressions that leave parts out, `a if c else b` and `a and b`, as branches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast

from autodiff.core.notyet import NotYet
from autodiff.lower.entries.entry import Entry, Unbound
from autodiff.normalize.build import assign, at, negated
from autodiff.syntax.names import name

if TYPE_CHECKING:
    from autodiff.lower.expression.wholes import Wholes


def chosen(expressions: Wholes, node: gast.IfExp) -> Entry:
    """`a if c else b`."""
    own = expressions.frame.temporary("chosen")
    origin = expressions.builder.origin
    made = gast.If(
        test=node.test,
        body=[assign(own, node.body, origin)],
        orelse=[assign(own, node.orelse, origin)],
    )
    return given(expressions, own, [at(made, origin)])


def connected(expressions: Wholes, node: gast.BoolOp) -> Entry:
    """`a and b and c`: the first that is false, or the last."""
    own = expressions.frame.temporary("chosen")
    origin = expressions.builder.origin
    first, *rest = node.values
    statements: list[gast.stmt] = []
    for value in reversed(rest):
        test = name(own) if isinstance(node.op, gast.And) else negated(name(own))
        body = [assign(own, value, origin), *statements]
        statements = [at(gast.If(test=test, body=body, orelse=[]), origin)]
    return given(expressions, own, [assign(own, first, origin), *statements])


def given(expressions: Wholes, own: str, statements: list[gast.stmt]) -> Entry:
    """What statements leave in a variable, which is then gone."""
    block = getattr(expressions, "block", None)
    if block is None:
        raise NotYet("a choice in a template")
    block(statements)
    entry = expressions.frame.names.pop(own, Unbound())
    if isinstance(entry, Unbound):
        raise NotYet("a choice between what is not joined")
    return entry

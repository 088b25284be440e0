"""What gives no more than a shape is a value that is there, not one computed for it."""

from __future__ import annotations

from collections.abc import Iterator

import gast

from autodiff.optimize.change import changed, map_parts
from autodiff.optimize.facts import Facts
from autodiff.optimize.sections import map_reverse
from autodiff.syntax.walk import children

_SCOPES = (gast.FunctionDef, gast.ClassDef, gast.Lambda)
_MADE = (gast.BinOp, gast.UnaryOp, gast.Call)


def likes(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """In the reverse sweep, a part of an expression in place of the expression, for its shape.

        unbroadcast(g, t**2)           becomes          unbroadcast(g, t)
        1.0 / len(y * y)               becomes          1.0 / len(y)

    Only between arrays of doubles, where numbers are all that the other operands are, or where
    the names of all sizes say that both have one shape.
    """

    def part(node: gast.AST) -> gast.AST:
        if isinstance(node, _SCOPES):
            return node
        new: gast.AST = map_parts(part, node)
        if isinstance(new, gast.Attribute) and new.attr in ("shape", "size", "ndim"):
            like = _smaller(new.value, facts)
            return new if like is new.value else changed(new, value=like)
        return call(new) if isinstance(new, gast.Call) else new

    def call(node: gast.Call) -> gast.Call:
        if not isinstance(node.func, gast.Name):
            return node
        if node.func.id == "len" and len(node.args) == 1 and facts.pure(node):
            like = _smaller(node.args[0], facts)
            return node if like is node.args[0] else changed(node, args=[like])
        if not facts.fits(node):
            return node
        args = [*node.args[:1], *(_smaller(arg, facts) for arg in node.args[1:])]
        keywords = [changed(own, value=_smaller(own.value, facts)) for own in node.keywords]
        result: gast.Call = changed(node, args=args, keywords=keywords)
        return result

    return map_reverse(part, tree, facts)


def _smaller(node: gast.expr, facts: Facts) -> gast.expr:
    """The expression, or a part of it that has its shape and dtype."""
    while isinstance(node, _MADE) and facts.shape(node) and facts.wide(node):
        shape = facts.shape(node)
        alike = [
            own
            for own in _names(node)
            if facts.wide(own) and shape == facts.shape(own) and None not in (shape or ())
        ]
        inner = alike[0] if alike else _only_array(node, facts)
        if inner is None:
            break
        node = inner
    return node


def _only_array(node: gast.expr, facts: Facts) -> gast.expr | None:
    """The operand of an operation whose other operand, if there is one, is a number."""
    if isinstance(node, gast.UnaryOp):
        return node.operand if facts.wide(node.operand) else None
    if not isinstance(node, gast.BinOp) or isinstance(node.op, gast.MatMult):
        return None
    for one, other in ((node.left, node.right), (node.right, node.left)):
        if facts.wide(one) and facts.shape(one) and facts.scalar(other):
            return one
    return None


def _names(node: gast.AST) -> Iterator[gast.Name]:
    """The names that an expression certainly reads."""
    for child in children(node):
        if isinstance(child, gast.Name) and isinstance(child.ctx, gast.Load):
            yield child
        elif isinstance(child, (*_MADE, gast.keyword)):
            yield from _names(child)

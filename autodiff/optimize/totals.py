"""What is assigned, and added to in the next statement, is a sum."""

from __future__ import annotations

from functools import partial
from typing import Any

import gast

from autodiff.optimize.change import Block, changed, is_straight, map_blocks, unchanged
from autodiff.optimize.changing import makes_new
from autodiff.optimize.effects import effects, is_generated
from autodiff.optimize.facts import Facts
from autodiff.optimize.measure import fits
from autodiff.optimize.sections import reverse_sweep
from autodiff.syntax.make import make
from autodiff.syntax.names import reads


def totals(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """In the reverse sweep, write contributions of one statement as the sum that they are.

        y_bar = total_bar * k
        y_bar += -total_bar * w         becomes         y_bar = total_bar * k - total_bar * w

    Of numbers, and of arrays that have one shape; where the line is not too long, and no statement
    of the user's, which is named above its adjoint, lies between.
    """

    def block(statements: Block, indent: int) -> Block:
        new: Block = []
        for node in statements:
            if is_straight(node):
                node = map_blocks(partial(block, indent=indent + 1), node)
            joined = _joined(new[-1], node, facts) if new else None
            if joined is not None and fits(joined, indent):
                new[-1] = joined
            else:
                new.append(node)
        return statements if unchanged(new, statements) else new

    start = reverse_sweep(tree.body)
    ahead = [
        map_blocks(partial(block, indent=2), node) if is_generated(node, facts) else node
        for node in tree.body[:start]
    ]
    body = [*ahead, *block(tree.body[start:], 1)]
    if unchanged(body, tree.body):
        return tree
    result: gast.FunctionDef = changed(tree, body=body)
    return result


def _joined(first: Any, second: Any, facts: Facts) -> gast.stmt | None:
    """Both statements as one; None where that is not the same."""
    if not isinstance(first, gast.Assign) or not isinstance(second, gast.AugAssign):
        return None
    target, value, more = first.targets[0], first.value, second.value
    if not isinstance(target, gast.Name) or not isinstance(second.target, gast.Name):
        return None
    if target.id != second.target.id or target.id not in facts.temporaries:
        return None
    if target.id in reads(more) or not isinstance(second.op, (gast.Add, gast.Sub)):
        return None
    if effects(value, facts).calls or effects(more, facts).calls:
        return None
    if not _are_alike(value, more, facts):
        return None
    negative = isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.USub)
    if negative and isinstance(second.op, gast.Add):
        total = make(gast.BinOp, left=more, op=gast.Sub(), right=value.operand)
    else:
        total = make(gast.BinOp, left=value, op=second.op, right=more)
    result: gast.stmt = changed(first, value=total)
    return result


def _are_alike(value: gast.expr, more: gast.expr, facts: Facts) -> bool:
    """Whether both are numbers, or arrays of doubles of one shape, the first of them new."""
    if facts.scalar(value) and facts.scalar(more):
        return facts.inexact(value) and facts.inexact(more)
    shape = facts.shape(value)
    if not shape or None in shape or facts.shape(more) != shape or not makes_new(value):
        return False
    return facts.wide(value) and facts.wide(more)

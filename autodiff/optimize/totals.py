"""What is assigned, and added to in the next statement, is a sum."""

from __future__ import annotations

from functools import cached_property, partial
from typing import Any

import gast

from autodiff.optimize.change import Block, changed, is_straight, map_blocks, unchanged
from autodiff.optimize.changing import makes_new
from autodiff.optimize.effects import effects, is_generated
from autodiff.optimize.facts import Facts
from autodiff.optimize.like_terms import added_up
from autodiff.optimize.measure import fits
from autodiff.optimize.ownership import own_buffers
from autodiff.optimize.sections import reverse_sweep
from autodiff.syntax.make import make
from autodiff.syntax.names import reads
from autodiff.syntax.walk import same
from autodiff.syntax.windows import root


def totals(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """In the reverse sweep, write contributions of one statement as the sum that they are.

        y_bar = total_bar * k
        y_bar += -total_bar * w         becomes         y_bar = total_bar * k - total_bar * w

    Of numbers, also in slots of an array, and of arrays that have one shape; where the line is not
    too long, and no statement of the user's, which is named above its adjoint, lies between.
    """

    return _Totals(tree, facts).function()


class _Totals:
    def __init__(self, tree: gast.FunctionDef, facts: Facts) -> None:
        self.tree = tree
        self.facts = facts

    @cached_property
    def own(self) -> frozenset[str]:
        """Names of memory that is reached by no other name."""
        return own_buffers(self.tree, self.facts)

    def function(self) -> gast.FunctionDef:
        tree, start = self.tree, reverse_sweep(self.tree.body)
        inner = partial(self.block, indent=2)
        ahead = [
            map_blocks(inner, node) if is_generated(node, self.facts) else node
            for node in tree.body[:start]
        ]
        body = [*ahead, *self.block(tree.body[start:], 1)]
        if unchanged(body, tree.body):
            return tree
        result: gast.FunctionDef = changed(tree, body=body)
        return result

    def block(self, statements: Block, indent: int) -> Block:
        new: Block = []
        for node in statements:
            if is_straight(node):
                node = map_blocks(partial(self.block, indent=indent + 1), node)
            joined = self.joined(new[-1], node) if new else None
            if joined is not None and self.fits(joined, indent):
                new[-1] = joined
            else:
                new.append(node)
        return statements if unchanged(new, statements) else new

    def fits(self, statement: gast.stmt, indent: int) -> bool:
        """Whether it fits as it is, or when like terms have been added up."""
        return fits(statement, indent) or fits(added_up(statement, self.facts), indent)

    def joined(self, first: Any, second: Any) -> gast.stmt | None:
        """Both statements as one; None where that is not the same."""
        if not isinstance(first, gast.Assign) or not isinstance(second, gast.AugAssign):
            return None
        target, value, more = first.targets[0], first.value, second.value
        if not isinstance(second.op, (gast.Add, gast.Sub)) or not same(target, second.target):
            return None
        if root(target) not in self.facts.temporaries or root(target) in reads(more):
            return None
        if not isinstance(target, gast.Name) and not self.is_slot(target, more):
            return None
        if effects(value, self.facts).calls or effects(more, self.facts).calls:
            return None
        if not _are_alike(value, more, self.facts):
            return None
        negative = isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.USub)
        if negative and isinstance(second.op, gast.Add):
            total = make(gast.BinOp, left=more, op=gast.Sub(), right=value.operand)
        else:
            total = make(gast.BinOp, left=value, op=second.op, right=more)
        result: gast.stmt = changed(first, value=total)
        return result

    def is_slot(self, target: gast.expr, more: gast.expr) -> bool:
        """Whether numbers are stored to one place in memory that what is added does not read."""
        if not isinstance(target, gast.Subscript) or not isinstance(target.value, gast.Name):
            return False
        if effects(target, self.facts).calls or not self.facts.scalar(target):
            return False
        return not effects(more, self.facts).looks or target.value.id in self.own


def _are_alike(value: gast.expr, more: gast.expr, facts: Facts) -> bool:
    """Whether both are numbers, or arrays of doubles of one shape, the first of them new."""
    if facts.scalar(value) and facts.scalar(more):
        return facts.inexact(value) and facts.inexact(more)
    shape = facts.shape(value)
    if not shape or None in shape or facts.shape(more) != shape or not makes_new(value):
        return False
    return facts.wide(value) and facts.wide(more)

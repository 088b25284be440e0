"""What is assigned or added to, and added to again, is a sum."""

from __future__ import annotations

from functools import cached_property, partial
from typing import Any

import gast

from autodiff.optimize.change import Block, changed, is_straight, map_blocks, unchanged
from autodiff.optimize.changing import makes_new
from autodiff.optimize.effects import is_generated
from autodiff.optimize.facts import Facts
from autodiff.optimize.like_terms import added_up
from autodiff.optimize.measure import fits
from autodiff.optimize.ownership import own_buffers
from autodiff.optimize.sections import reverse_sweep
from autodiff.syntax.make import make
from autodiff.syntax.names import reads
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import same
from autodiff.syntax.windows import root

_SUMS = (gast.Add, gast.Sub)


def totals(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """In the reverse sweep, write contributions of one statement as the sum that they are.

        y_bar = total_bar * k
        y_bar += -total_bar * w         becomes         y_bar = total_bar * k - total_bar * w

        x_bar[i] -= t                                   x_bar[i + 1] += u
        x_bar[i + 1] += u               becomes         x_bar[i] += v - t
        x_bar[i] += v

    Of numbers, also in slots of an array, and of arrays that have one shape, then in the next
    statement; where the line is not too long. All that lies between must be of the same statement
    of the user's, which is named above its adjoint.
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
            place = self.before(new, node)
            joined = self.joined(new[place], node) if place is not None else None
            if place is not None and joined is not None and self.fits(joined, indent):
                del new[place]
                new.append(joined)
            else:
                new.append(node)
        return statements if unchanged(new, statements) else new

    def before(self, block: Block, node: gast.stmt) -> int | None:
        """The place of the statement that sets or adds to what `node` adds to, if it may wait.

        None where it may not, or where a statement of another form lies between.
        """
        if not isinstance(node, gast.AugAssign) or not isinstance(node.op, _SUMS):
            return None
        for place in range(len(block) - 1, -1, -1):
            other = block[place]
            target = _target(other)
            if target is None:
                return None
            if same(target, node.target):
                between = block[place + 1 :]
                return place if all(self.may_wait(other, target, b) for b in between) else None
            if origin_of(other) != origin_of(node):
                return None
        return None

    def may_wait(self, node: gast.stmt, target: gast.expr, passed: gast.stmt) -> bool:
        """Whether numbers may be stored or added after `passed` as well as before it."""
        known, other = self.facts.effects[node], self.facts.effects[passed]
        base = root(target)
        if known.calls or known.tapes or other.calls or not self.facts.scalar(target):
            return False
        if origin_of(node) != origin_of(passed):
            return False
        if not other.writes.isdisjoint(known.loads):
            return False
        if isinstance(target, gast.Name):
            if base in other.loads or base in other.writes:
                return False
        elif base not in self.own or base in other.writes:
            return False
        elif base in other.loads:  # sums may be taken in another order
            adds = isinstance(node, gast.AugAssign) and isinstance(passed, gast.AugAssign)
            if not adds or other.loads[base] > 1 or root(passed.target) != base:
                return False
        if not other.stores:
            return True
        stored = root(_target(passed))  # also by `x_bar += a`, in place
        return stored in self.own and stored not in reads(node.value) | _index_reads(target)

    def fits(self, statement: gast.stmt, indent: int) -> bool:
        """Whether it fits as it is, or when like terms have been added up."""
        return fits(statement, indent) or fits(added_up(statement, self.facts), indent)

    def joined(self, first: Any, second: gast.AugAssign) -> gast.stmt | None:
        """Both statements as one; None where that is not the same."""
        target, value, more = second.target, first.value, second.value
        if root(target) not in self.facts.temporaries or root(target) in reads(more):
            return None
        if not isinstance(target, gast.Name) and not self.is_slot(target, more):
            return None
        if self.facts.effects[value].calls or self.facts.effects[more].calls:
            return None
        if not _are_alike(value, more, self.facts):
            return None
        adds = isinstance(first, gast.AugAssign)
        if adds and not (self.facts.scalar(target) and origin_of(first) == origin_of(second)):
            return None
        if adds and isinstance(first.op, gast.Sub):
            if isinstance(second.op, gast.Sub):
                return _set(first, make(gast.BinOp, left=value, op=gast.Add(), right=more))
            value = make(gast.UnaryOp, op=gast.USub(), operand=value)
            first = changed(first, op=second.op)
        negative = isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.USub)
        if negative and isinstance(second.op, gast.Add):
            return _set(first, make(gast.BinOp, left=more, op=gast.Sub(), right=value.operand))
        return _set(first, make(gast.BinOp, left=value, op=second.op, right=more))

    def is_slot(self, target: gast.expr, more: gast.expr) -> bool:
        """Whether numbers are stored to one place in memory that what is added does not read."""
        if not isinstance(target, gast.Subscript) or not isinstance(target.value, gast.Name):
            return False
        if self.facts.effects[target].calls or not self.facts.scalar(target):
            return False
        return not self.facts.effects[more].looks or target.value.id in self.own


def _target(node: gast.stmt) -> gast.expr | None:
    """The name or slot that a simple statement sets, or adds to."""
    if isinstance(node, gast.AugAssign):
        target = node.target if isinstance(node.op, _SUMS) else None
    elif isinstance(node, gast.Assign) and len(node.targets) == 1:
        target = node.targets[0]
    else:
        return None
    return target if isinstance(target, (gast.Name, gast.Subscript)) else None


def _index_reads(target: gast.expr) -> set[str]:
    return reads(target.slice) if isinstance(target, gast.Subscript) else set()


def _set(statement: gast.stmt, value: gast.expr) -> gast.stmt:
    result: gast.stmt = changed(statement, value=value)
    return result


def _are_alike(value: gast.expr, more: gast.expr, facts: Facts) -> bool:
    """Whether both are numbers, or arrays of doubles of one shape, the first of them new."""
    if facts.scalar(value) and facts.scalar(more):
        return facts.inexact(value) and facts.inexact(more)
    shape = facts.shape(value)
    if not shape or None in shape or facts.shape(more) != shape or not makes_new(value):
        return False
    return facts.wide(value) and facts.wide(more)

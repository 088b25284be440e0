"""In a product, the factors that no iteration changes come together: they are one factor."""

from __future__ import annotations

import gast

from autodiff.optimize import literals
from autodiff.optimize.change import map_inner
from autodiff.optimize.factors import Factors, factors_of, joined, merged
from autodiff.optimize.facts import Facts
from autodiff.optimize.invariant import Invariant
from autodiff.optimize.sections import map_reverse
from autodiff.syntax.make import make
from autodiff.syntax.names import reads

_LOOPS = (gast.For, gast.While)


def regroup(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """Group invariant factors in the loops of the reverse sweep, for `hoist` to compute once.

        y_bar / 2 * h          becomes         y_bar * (h / 2)

    The last bit may differ. So the forward sweep stays as it is: the value of the primal is the
    primal's, to the last bit.
    """
    regrouping = _Regroup(Invariant(tree, facts), facts)
    if not regrouping.invariant.fixed:
        return tree

    def in_loop(node: gast.stmt) -> gast.stmt:
        new: gast.stmt = regrouping.part(node) if isinstance(node, _LOOPS) else node
        return new

    return map_reverse(in_loop, tree, facts)


class _Regroup:
    def __init__(self, invariant: Invariant, facts: Facts) -> None:
        self.invariant = invariant
        self.facts = facts

    def part(self, node: gast.AST) -> gast.AST:
        if node.__class__ is gast.Name or node.__class__ is gast.Constant:
            return node
        if isinstance(node, gast.stmt) and not self.invariant.may_hold(node):
            return node
        new: gast.AST = map_inner(self.part, node)
        if isinstance(new, gast.BinOp) and isinstance(new.op, (gast.Mult, gast.Div)):
            return self.product(new)
        return new

    def product(self, node: gast.BinOp) -> gast.expr:
        factors = factors_of(node)
        fixed: Factors = []
        others: Factors = []
        for factor in factors:
            (fixed if self.invariant(factor[1]) else others).append(factor)
        if len(fixed) < 2 or not any(reads(f) for _, f in fixed):
            return node
        if not others or others[0][0] is gast.Div:
            return node
        if not all(op is gast.Mult or self.divides(factor) for op, factor in fixed):
            return node
        if not self.facts.double(node) and not self.facts.wide(node):
            return node
        if not all(self.is_double(factor) for _, factor in factors):
            return node
        fixed = merged(sorted(fixed, key=lambda factor: factor[0] is gast.Div))
        if fixed[0][0] is gast.Div:
            return node
        return make(gast.BinOp, left=joined(others), op=gast.Mult(), right=joined(fixed))

    def divides(self, factor: gast.expr) -> bool:
        """Whether to divide a number by this raises no exception: one of Python's may be zero."""
        number = literals.number(factor)
        if number is not None:
            return bool(number)
        return self.facts.double(factor) and not self.facts.native(factor)

    def is_double(self, factor: gast.expr) -> bool:
        known = self.facts.double(factor) or self.facts.wide(factor)
        return known or literals.number(factor) is not None

"""Terms of a sum that differ in a constant factor only are one term."""

from __future__ import annotations

from dataclasses import dataclass

import gast

from autodiff.optimize import literals
from autodiff.optimize.change import map_inner
from autodiff.optimize.effects import effects
from autodiff.optimize.factors import Factors, factors_of, joined
from autodiff.optimize.facts import Facts
from autodiff.optimize.sections import map_reverse
from autodiff.syntax.make import make
from autodiff.syntax.walk import same

_LEFT_ALONE = (gast.Name, gast.Constant, gast.FunctionDef, gast.ClassDef, gast.Lambda)
_SIGNS: dict[type, int] = {gast.Add: 1, gast.Sub: -1}


def like_terms(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """Add up the coefficients of like terms in the sums of the reverse sweep.

        0.5 * v + v * 0.5               becomes         v                    of a number
        x * y + a - 3.0 * y * x                         -2.0 * x * y + a

    The last bit may differ. Of floats and complex numbers, and arrays of doubles; terms that cancel
    stay, since there may be infinity or NaN in them, which the sum has to show.
    """
    return map_reverse(_LikeTerms(facts).part, tree, facts)


def added_up(statement: gast.stmt, facts: Facts) -> gast.stmt:
    """One statement of the reverse sweep as `like_terms` would write it."""
    result: gast.stmt = _LikeTerms(facts).part(statement)
    return result


@dataclass(frozen=True, slots=True)
class _Term:
    """`text`, added (`sign` is 1) or subtracted: the `coefficient` times the `factors`."""

    sign: int
    text: gast.expr
    coefficient: float
    factors: Factors


class _LikeTerms:
    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    def part(self, node: gast.AST) -> gast.AST:
        if node.__class__ in _LEFT_ALONE:
            return node
        if isinstance(node, gast.stmt):
            if max(effects(node, self.facts).loads.values(), default=0) < 2:
                return node
        if node.__class__ is gast.BinOp and node.op.__class__ in _SIGNS:
            node = self.total(node)
        result: gast.AST = map_inner(self.part, node)
        return result

    def total(self, node: gast.BinOp) -> gast.expr:
        """The sum with fewer terms, or itself."""
        terms = [self.term(sign, text) for sign, text in _terms(node)]
        groups: list[list[_Term]] = []
        for term in terms:
            group = next((g for g in groups if _are_same(g[0].factors, term.factors)), None)
            if group is None:
                groups.append([term])
            else:
                group.append(term)
        kept: list[_Term] = []
        for group in groups:
            coefficient = sum(term.coefficient for term in group)
            factors = group[0].factors
            if len(group) > 1 and self.may_be_one(factors, coefficient):
                kept.append(self.scaled(coefficient, factors, len(groups) == 1))
            else:
                kept.extend(group)
        return node if len(kept) == len(terms) else _sum(kept)

    def term(self, sign: int, text: gast.expr) -> _Term:
        coefficient: float = sign
        whole = text
        rest: Factors = []
        negative = text.__class__ is gast.UnaryOp and text.op.__class__ is gast.USub
        if negative and self.facts.signed(text.operand):
            coefficient, text = -coefficient, text.operand
        for op, factor in factors_of(text):
            number = literals.number(factor) if op is gast.Mult else None
            if number is not None:
                coefficient *= number
                continue
            if isinstance(factor, gast.UnaryOp) and isinstance(factor.op, gast.USub):
                if self.facts.signed(factor.operand):
                    coefficient, factor = -coefficient, factor.operand
            rest.append((op, factor))
        return _Term(sign, whole, coefficient, rest)

    def may_be_one(self, factors: Factors, coefficient: float) -> bool:
        """Whether a sum of such terms is one with this coefficient."""
        if not coefficient or not literals.is_short(coefficient):
            return False
        if not factors or factors[0][0] is gast.Div:
            return False
        product = joined(factors)
        plain = self.facts.inexact if self.facts.scalar(product) else self.facts.wide
        return plain(product) and all(
            self.facts.signed(factor) and not effects(factor, self.facts).calls
            for _, factor in factors
        )

    def scaled(self, coefficient: float, factors: Factors, alone: bool) -> _Term:
        """The one term; `alone`: there are no others.

        An array that stands alone is `1.0 * x`: itself would be another name for its memory.
        """
        size = float(abs(coefficient))
        is_new = not alone or coefficient != 1 or len(factors) > 1
        scale = [(gast.Mult, literals.literal(size))]
        if size == 1 and (is_new or self.facts.scalar(factors[0][1])):
            scale = []
        sign = 1 if coefficient > 0 else -1
        return _Term(sign, joined([*scale, *factors]), coefficient, factors)


def _terms(node: gast.expr, sign: int = 1) -> list[tuple[int, gast.expr]]:
    """The terms of a sum, in their order, and whether each is added or subtracted."""
    if node.__class__ is gast.BinOp and node.op.__class__ in _SIGNS:
        right = sign * _SIGNS[node.op.__class__]
        return [*_terms(node.left, sign), *_terms(node.right, right)]
    return [(sign, node)]


def _are_same(one: Factors, other: Factors) -> bool:
    """Whether two products have the same factors, in any order."""
    left = list(other)
    for op, factor in one:
        place = next((k for k, (o, f) in enumerate(left) if o is op and same(f, factor)), None)
        if place is None:
            return False
        del left[place]
    return not left


def _sum(terms: list[_Term]) -> gast.expr:
    first = next((term for term in terms if term.sign > 0), terms[0])
    total = first.text
    if first.sign < 0:
        total = make(gast.UnaryOp, op=gast.USub(), operand=total)
    for term in terms:
        if term is not first:
            op = gast.Add() if term.sign > 0 else gast.Sub()
            total = make(gast.BinOp, left=total, op=op, right=term.text)
    return total

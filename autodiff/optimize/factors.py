"""Products as lists of factors and divisors."""

from __future__ import annotations

import gast

from autodiff.optimize import literals
from autodiff.syntax.make import SIGNS, make

Factors = list[tuple[type, gast.expr]]
"""Each with `gast.Mult` or `gast.Div`, by which it joins those before it."""


def factors_of(node: gast.expr, op: type = gast.Mult) -> Factors:
    """`a / b * c` as factors and divisors in their order; `a * (b * c)` has three factors, too."""
    if op is gast.Mult and node.__class__ is gast.BinOp:
        own = node.op.__class__
        if own is gast.Mult or own is gast.Div:
            return [*factors_of(node.left), *factors_of(node.right, own)]
    return [(op, node)]


def joined(factors: Factors) -> gast.expr:
    """The product; the first one is no divisor."""
    result = factors[0][1]
    for op, factor in factors[1:]:
        result = make(gast.BinOp, left=result, op=SIGNS[op], right=factor)
    return result


def merged(factors: Factors) -> Factors:
    """The factors with the constants among them as one, in front; a constant 1 goes."""
    constant: float | int = 1
    rest: Factors = []
    for op, factor in factors:
        number = literals.number(factor)
        if number is None or op is gast.Div:
            rest.append((op, factor))
        else:
            constant *= number
    if constant == 1 and rest and rest[0][0] is gast.Mult:
        return rest
    return [(gast.Mult, literals.literal(constant)), *rest]

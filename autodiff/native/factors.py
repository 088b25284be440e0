"""Products as lists of factors and divisors."""

from __future__ import annotations

import gast

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

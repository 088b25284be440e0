"""Signs that an expression has in front."""

from __future__ import annotations

from collections.abc import Callable

import gast

from autodiff.instantiate import numerals as literals
from autodiff.syntax.change import changed

_SIGNED = (gast.UnaryOp, gast.BinOp, gast.Constant)


def without_sign(expression: gast.expr, signed: Callable[[gast.expr], bool]) -> gast.expr | None:
    """The `e` for which an expression is exactly `-e`; None without a sign to drop (`-a * b`)."""
    cls = expression.__class__
    if cls is gast.UnaryOp and isinstance(expression.op, gast.USub):
        operand = expression.operand
        number = literals.number(operand)
        if number is not None:
            return operand if number != 0 else None
        return operand if signed(operand) else None
    if cls is gast.Constant:  # the normal form has such constants
        value = literals.number(expression)
        return literals.literal(-value) if value is not None and value < 0 else None
    if cls is gast.BinOp and isinstance(expression.op, (gast.Mult, gast.Div)):
        for side in ("left", "right"):
            part = getattr(expression, side)
            positive = without_sign(part, signed) if part.__class__ in _SIGNED else None
            if positive is not None and signed(expression):
                result: gast.expr = changed(expression, **{side: positive})
                return result
    return None

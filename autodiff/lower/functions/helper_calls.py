"""Helpers of rules that have no rule themselves, in a derivative that is differentiated again:
their bodies, where what they are given may carry a derivative.

    x_bar = others(x, 0) * y_bar          before = np.cumprod(x); after = np.cumprod(x[::-1]) ...
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

from autodiff.core import NotYet
from autodiff.lower.entries.entry import Entry
from autodiff.lower.expression.application import Arguments
from autodiff.lower.expression.expressions import Expressions
from autodiff.lower.flow import opaque
from autodiff.lower.flow.heap import Mark
from autodiff.lower.functions.inlining import inlined
from autodiff.rules import registry


def body_of(expressions: Expressions, target: Any, arguments: Arguments) -> Entry | None:
    """What the body of a helper comes to; None where it is called, as it is where that is not taken
    and no derivative gets lost.
    """
    if not isinstance(target, FunctionType) or not registry.is_transparent(target):
        return None
    if registry.rule_for(target) is not None or registry.is_nondifferentiable(target):
        return None
    positional, named = arguments.positional, arguments.named
    given = [*positional, *(entry for _, entry in named)]
    if not any(map(opaque.may_carry, given)):
        return None
    mark, known = Mark(expressions.frame), expressions.unit.risks
    try:
        with expressions.unit.whole():
            return inlined(expressions, target, positional, named)
    except NotYet as reason:
        if type(reason) is not NotYet:
            raise
    mark.back()
    expressions.unit.risks = known
    return None

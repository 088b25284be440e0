"""Calls of helpers of rules that have no rule themselves, in a derivative that is differentiated
again: their bodies, where what they are given may carry a derivative. What is known while compiling
is computed then.

    x_bar = others(x, 0) * y_bar          before = np.cumprod(x); after = np.cumprod(x[::-1]) ...
    axes, last = axes_last(2, 0)          (0,), (1,)
"""

from __future__ import annotations

import contextlib
from types import FunctionType, NoneType
from typing import Any

from autodiff.core import ABSENT, NotYet, constant
from autodiff.lower.entries.alternatives import known_key
from autodiff.lower.entries.entry import Entry, Pack
from autodiff.lower.expression.application import Arguments
from autodiff.lower.expression.expressions import Expressions
from autodiff.lower.flow import opaque
from autodiff.lower.flow.heap import Mark
from autodiff.lower.functions.inlining import inlined
from autodiff.rules import registry


def answer_of(target: Any, arguments: Arguments) -> Entry | None:
    """What a helper says of numbers and texts that are known; None where it is called."""
    if not isinstance(target, FunctionType) or not registry.is_transparent(target):
        return None
    if not (registry.is_nondifferentiable(target) and registry.is_pure(target)):
        return None
    positional = [known_key(entry) for entry in arguments.positional]
    named = {key: known_key(entry) for key, entry in arguments.named}
    if any(each is ABSENT for each in (*positional, *named.values())):
        return None
    with contextlib.suppress(Exception):  # which comes when it runs
        return as_entry(target(*positional, **named))
    return None


def as_entry(found: Any) -> Entry | None:
    """A number, a text, or a tuple of these, that is known; None for others."""
    if isinstance(found, tuple):
        items = [as_entry(each) for each in found]
        return None if None in items else Pack(tuple(each for each in items if each is not None))
    return constant(found) if type(found) in (bool, int, float, str, NoneType) else None


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

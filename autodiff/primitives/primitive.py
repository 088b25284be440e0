"""What is known of a callable that is applied as one step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import gast

from autodiff.primitives.effects import NOTHING, Effects
from autodiff.rules.template import Rule

Memory = Literal["new", "view", "unknown"]


@dataclass(frozen=True, slots=True)
class Primitive:
    """One entry.

    function: the callable itself, None for syntax (a display, a conditional expression ...).
    rule: for how many operands there is a derivative rule is found out for each call.
    memory: whether a result is new, a view of operand 0, or may share with operands.
    shares: the arguments that it may share with then; None for any of them.
    pure: it changes nothing that it is given, and nothing else, but by parameters for that purpose.
    effects: what it changes, holds, returns.
    raises: its error is part of what it means: it is kept where its result is not needed.
    total: it never raises an error for operands that fit; `partial`: but for Python's numbers.
    shaped: where all shapes are known, it raises none either.
    cheap: it may as well be computed again in the reverse sweep.
    leaves: it leaves out a part of what it is given: that is zero.
    formal: of its first operand it reads the form alone, not what it holds.
    """

    function: Any
    name: str
    memory: Memory = "new"
    pure: bool = True
    raises: bool = False
    cheap: bool = False
    elementwise: bool = False
    effects: Effects = NOTHING
    total: bool = False
    partial: bool = False
    shaped: bool = False
    leaves: bool = False
    formal: bool = False
    shares: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Application:
    """How a primitive is called: expressions over the numbers of the operands ("0", "1" ...)."""

    arguments: tuple[gast.expr, ...]
    keywords: tuple[tuple[str, gast.expr], ...] = ()


RuleFor = Callable[[Any, int], "Rule | None"]

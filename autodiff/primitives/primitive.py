"""What is known of a callable that is applied as one step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import gast

from autodiff.rules.template import Rule

Memory = Literal["new", "view", "unknown"]


@dataclass(frozen=True, slots=True)
class Primitive:
    """One entry.

    function: the callable itself, None for syntax (a display, a conditional expression ...).
    rule: for how many operands there is a derivative rule is found out for each call.
    memory: whether a result is new, a view of operand 0, or may share with any operand.
    pure: it changes nothing that it is given, and nothing else.
    raises: it may raise an error for some values, beyond shapes that do not fit.
    cheap: it may as well be computed again in the reverse sweep.
    """

    function: Any
    name: str
    memory: Memory = "new"
    pure: bool = True
    raises: bool = False
    cheap: bool = False
    elementwise: bool = False


@dataclass(frozen=True, slots=True)
class Application:
    """How a primitive is called: expressions over the numbers of the operands ("0", "1" ...)."""

    arguments: tuple[gast.expr, ...]
    keywords: tuple[tuple[str, gast.expr], ...] = ()


RuleFor = Callable[[Any, int], "Rule | None"]

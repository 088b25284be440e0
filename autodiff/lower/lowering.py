"""A function of Python's and all that it calls as Core."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from autodiff.analysis.kind import Kind
from autodiff.analysis.size import Told
from autodiff.core.notyet import NotYet
from autodiff.lower.calls import call
from autodiff.lower.frame import Doors, Unit
from autodiff.lower.function import lower
from autodiff.lower.inlining import inlined
from autodiff.lower.library import Drawn
from autodiff.lower.lifted import Lifted, lower_lifted
from autodiff.lower.recursion import check_lent
from autodiff.lower.unfolding import Recursion


def lowered(
    function: FunctionType | Lifted, kinds: tuple[Kind, ...], asked: frozenset[Told] = frozenset()
) -> Unit:
    """The function in Core; `NotYet` where something in it is not taken."""
    drawing: frozenset[Any] = frozenset()
    recursive: frozenset[Any] = frozenset()
    while True:
        try:
            doors = Doors(call, inlined, lower_any, drawing, recursive, {}, set())
            unit = lower_any(function, kinds, doors, asked)
            check_lent(unit)
            return unit
        except Recursion as found:
            if found.identity in recursive:
                raise
            recursive |= {found.identity}
        except Drawn as drawn:
            if drawn.origin is None or drawn.origin in drawing:
                raise NotYet(drawn.reason) from None
            drawing |= {drawn.origin}


def lower_any(
    function: FunctionType | Lifted,
    kinds: tuple[Kind, ...],
    doors: Doors,
    asked: frozenset[Told] = frozenset(),
    **around: Any,
) -> Unit:
    """A function, or one with what it needs from around it, for kinds of its parameters."""
    if isinstance(function, Lifted):
        return lower_lifted(function, kinds, doors, asked)
    return lower(function, kinds, doors, asked, **around)

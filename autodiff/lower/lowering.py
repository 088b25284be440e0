"""A function of Python's and all that it calls as Core."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any

from autodiff.analysis.kind import Kind
from autodiff.analysis.size import Told
from autodiff.core.notyet import NotYet
from autodiff.lower.calls import call
from autodiff.lower.cells import Cell, Exposed
from autodiff.lower.frame import Doors, Unit
from autodiff.lower.function import lower
from autodiff.lower.inlining import inlined
from autodiff.lower.library import Drawn
from autodiff.lower.outer import owner
from autodiff.lower.unfolding import Recursion

MANY = 20
"""So many places outside may be stored into: for each, the function is lowered again."""


def missing(*given: Any) -> None:
    """Nobody is there who knows the reverse sweep."""
    raise NotYet("a derivative inside")


def lowered(
    function: FunctionType,
    kinds: tuple[Kind, ...],
    asked: frozenset[Told] = frozenset(),
    differentiated: Callable[..., None] = missing,
) -> Unit:
    """The function in Core; `NotYet` where something in it is not taken."""
    drawing: frozenset[Any] = frozenset()
    recursive: frozenset[CodeType] = frozenset()
    whole, cells = False, tuple[Cell, ...]()
    while True:
        try:
            own = call, inlined, lower, differentiated
            doors = Doors(*own, drawing, recursive, {}, whole, cells)
            unit = lower(function, kinds, doors, asked)
            if whole or not reads_what_changes(unit):
                return unit
            whole = True
        except Recursion as found:
            if not isinstance(found.identity, CodeType) or found.identity in recursive:
                raise
            recursive |= {found.identity}
        except Exposed as found:
            if len(cells) >= MANY:
                raise NotYet("many places outside that are stored into") from None
            cells += (found.cell,)
        except Drawn as drawn:
            if drawn.origin is None or drawn.origin in drawing:
                raise NotYet(drawn.reason) from None
            drawing |= {drawn.origin}


def reads_what_changes(unit: Unit) -> bool:
    """Whether a function that stays a function reads memory of outside that changes."""
    owners = {id(owner(op.object)) for op in unit.elsewhere}
    regions = (region for own, region in unit.outer.items() if own in owners)
    return any(region.find().written for region in regions)

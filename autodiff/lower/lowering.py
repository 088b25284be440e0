"""A function of Python's and all that it calls as Core."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from autodiff.analysis.kind import Kind
from autodiff.analysis.size import Told
from autodiff.core.notyet import IN_ORDER, NotYet, Reread
from autodiff.lower.entries.outer import owner
from autodiff.lower.flow.frame import Doors, Unit
from autodiff.lower.functions.calls import call
from autodiff.lower.functions.conversion import Converted, lower_converted
from autodiff.lower.functions.function import lower
from autodiff.lower.functions.inlining import inlined
from autodiff.lower.functions.recursion import check_lent


def missing(*given: Any) -> None:
    """Nobody is there who knows the reverse sweep."""
    raise NotYet("a derivative inside")


def lowered(
    function: FunctionType | Converted,
    kinds: tuple[Kind, ...],
    asked: frozenset[Told] = frozenset(),
    differentiated: Callable[..., None] = missing,
    ordered: list[Any] | None = None,
) -> Unit:
    """The function in Core; `NotYet` where something in it is not taken. What goes over names that
    are known is written out, as these may name parts; where that cannot be, they are texts.

    ordered: gets the places where the order matters in which parts of expressions are computed.
    """
    names, behind, moved = set[str](), list[Any](), list[Any]()
    given = function, kinds, asked, differentiated, behind, moved
    try:
        try:
            return lowered_so(*given, names)
        except NotYet:
            if not names:
                raise
        return lowered_so(*given, None)
    finally:
        if moved and ordered is not None:
            ordered += behind


def lowered_so(
    function: FunctionType | Converted,
    kinds: tuple[Kind, ...],
    asked: frozenset[Told],
    differentiated: Callable[..., None],
    behind: list[Any],
    moved: list[Any],
    names: set[str] | None,
) -> Unit:
    """The function in Core. behind: where parts of expressions run code that changes something.
    moved, names: see `Doors`.
    """
    whole, decided = False, tuple[Any, ...]()
    while True:
        try:
            own = call, inlined, lower_any, differentiated
            doors = Doors(*own, decided, {}, whole, {}, names, moved)
            unit = lower_any(function, kinds, doors, asked)
            check_lent(unit)
            if whole or not reads_what_changes(unit):
                return unit
            whole = True
        except Reread as found:
            if found.decision is None or found.decision in decided:
                raise NotYet(found.reason) from None
            decided += (found.decision,)
            behind += [found.origin] if found.decision == IN_ORDER else []


def reads_what_changes(unit: Unit) -> bool:
    """Whether a function that stays a function reads memory of outside that changes."""
    owners = {id(owner(op.object)) for op in unit.elsewhere}
    regions = (region for own, region in unit.outer.items() if own in owners)
    return any(region.find().written for region in regions)


def lower_any(
    function: FunctionType | Converted,
    kinds: tuple[Kind, ...],
    doors: Doors,
    asked: frozenset[Told] = frozenset(),
    **around: Any,
) -> Unit:
    """A function, or one with what it needs from around it, for kinds of its parameters."""
    if isinstance(function, Converted):
        return lower_converted(function, kinds, doors, asked)
    return lower(function, kinds, doors, asked, **around)

"""What a loop can hand on from one iteration to the next, and how loops and places are called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autodiff.core.value import Value
from autodiff.lower.entry import Entry, Pack, bound
from autodiff.lower.heap import Place

if TYPE_CHECKING:
    from autodiff.lower.frame import Unit


def key_of(unit: Unit, node: Any) -> Any:
    """A loop, by the calls around it."""
    return id(node), tuple(id(own) for own, _ in unit.calls)


def is_value(entry: Entry) -> bool:
    """Whether a place holds something that can be carried."""
    return isinstance(bound(entry), (Value, Pack))


def label(place: Place) -> Any:
    """What a place is called, also where boxes are made anew when a loop is lowered again."""
    return place if isinstance(place, str) else (place[0].hint, place[1])

"""The effects of a callable, found from the callable itself, however it was reached."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from autodiff.primitives.changing import AT, CHANGING
from autodiff.primitives.effects import ANYTHING, NOTHING, Effects, Slot
from autodiff.primitives.outputs import outputs_of, permissions_of


def effects_of(function: Any, pure: bool) -> Effects:
    """What a callable does; `pure`: it is known to do nothing but by parameters for that purpose.

    >>> effects_of(np.add.at, False).writes[0].position
    0
    >>> effects_of([].append, False).outside, effects_of(print, False) is ANYTHING
    (True, True)
    """
    found = CHANGING.get(function)
    if found is not None:
        return found
    owner, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
    if isinstance(owner, np.ufunc) and name == "at":
        return AT
    if not pure:
        return of_bound(owner, name)
    writes, permits = outputs_of(function), permissions_of(function)
    return Effects(writes=writes, permits=permits) if writes or permits else NOTHING


def of_bound(owner: Any, name: str) -> Effects:
    """The effects of a method of an object that is not among the operands."""
    unbound = CHANGING.get(getattr(type(owner), name, None)) if owner is not None else None
    if unbound is None:
        return ANYTHING

    def moved(slots: tuple[Slot, ...]) -> tuple[Slot, ...]:
        return tuple(
            dataclasses.replace(slot, position=slot.position - 1) for slot in slots if slot.position
        )

    return dataclasses.replace(
        unbound,
        writes=moved(unbound.writes),
        holds=moved(unbound.holds),
        returns=None,
        outside=True,
    )

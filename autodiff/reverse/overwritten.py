"""Elements that can be read again where the reverse sweep puts back what a loop overwrites.

    for i in range(1, n):
        u[i] = c * u[i] * u[i - 1]        forward: one number is kept, the old u[i], not two factors
                                          reverse: u[i] is put back, and both are read again
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import gast

from autodiff.analysis.alias import Aliases
from autodiff.analysis.kind import Scalar
from autodiff.analysis.known import Kinds
from autodiff.reverse.elements import base_of, stored_in
from autodiff.reverse.holders import holders
from autodiff.reverse.items import Block, Loop, Step
from autodiff.reverse.listing import steps


@dataclass(frozen=True, slots=True)
class Overwritten:
    """readers: the `id` of each step that can read its number again.

    held: the names whose values are put back; equal: names that have the same values as those.
    other: how many more numbers are to be kept.
    """

    taken: frozenset[int]
    held: frozenset[str]
    equal: Mapping[str, str]
    other: int


def overwritten(
    loop: Loop, block: Block, kinds: Kinds, aliases: Aliases
) -> list[Overwritten]:
    """For each array that a loop changes element by element: what putting back takes and gives.

    Only arrays of which no other loop of the function, `block`, changes anything: what those
    overwrite would have to be kept as well.
    """
    taken: dict[str, set[int]] = {}
    for item in loop.body:
        if isinstance(item, Step):
            base = base_of(item, kinds) or stored_in(item, kinds)
            if base is not None and aliases.is_changed(base):
                taken.setdefault(base, set()).add(id(item))
    if not taken:
        return []
    own = {id(item) for item in loop.body}
    others = [step for item in block if not isinstance(item, Step) for step in steps([item])]
    others = [step for step in others if step.mutates and id(step) not in own]
    found = []
    for base, group in taken.items():
        if any(aliases.share(name, base) for step in others for name in step.mutates):
            continue
        stores = [s for s in loop.body if isinstance(s, Step) and _changes(s, base, aliases)]
        if not all(_stores_numbers(step, kinds) for step in stores):
            continue
        storing = {id(step) for step in stores}
        held: set[str] = set()
        equal: dict[str, str] = {}
        other = 0
        for index, item in enumerate(loop.body):
            for slot in item.slots if isinstance(item, Step) and id(item) in storing else ():
                names = holders(loop.body, index, slot, kinds, aliases)
                held.update(names[:1])
                equal.update(dict.fromkeys(names[1:], names[0] if names else ""))
                other += not names
        found.append(Overwritten(frozenset(group), frozenset(held), equal, other))
    return found


def _changes(step: Step, base: str, aliases: Aliases) -> bool:
    return any(aliases.share(name, base) for name in step.mutates)


def _stores_numbers(step: Step, kinds: Kinds) -> bool:
    """Whether all that a step overwrites are single elements."""
    return bool(step.slots) and all(
        isinstance(slot, gast.Subscript) and isinstance(kinds.known(slot), Scalar)
        for slot in step.slots
    )

"""The variables that hold what a store is about to overwrite."""

from __future__ import annotations

import gast

from autodiff.analysis.alias import Aliases
from autodiff.analysis.kind import Scalar
from autodiff.analysis.known import Kinds
from autodiff.reverse.items import Block, Step
from autodiff.reverse.listing import primal_of, steps
from autodiff.syntax.names import reads, writes
from autodiff.syntax.walk import clone, same


def holders(
    items: Block, at: int, slot: gast.expr | None, kinds: Kinds, aliases: Aliases
) -> list[str]:
    """`u_i` for the slot `u[i]` of a store `u[i] = e` that follows a step `u_i = u[i]`.

    All of them, the first one first. Only of numbers: other variables may be views. `at`: the
    place of the store in its block.
    """
    if not isinstance(slot, gast.Subscript) or not isinstance(slot.value, gast.Name):
        return []
    read = clone(slot)
    read.ctx = gast.Load()
    if not isinstance(kinds.known(read), Scalar):
        return []
    names = reads(read)
    rebound: set[str] = set()
    found: list[str] = []
    for item in reversed(items[:at]):
        statement = item.primal[0] if isinstance(item, Step) and len(item.primal) == 1 else None
        if isinstance(statement, gast.Assign) and isinstance(statement.targets[0], gast.Name):
            target: str = statement.targets[0].id
            if same(statement.value, read) and target not in rebound | names:
                found.insert(0, target)
        changed = {base for step in steps([item]) for base in step.mutates}
        rebound |= writes(primal_of([item]))
        if not names.isdisjoint(rebound):
            break
        if any(aliases.share(base, slot.value.id) for base in changed):
            break
    return found

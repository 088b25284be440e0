"""Adjoint memory is cleared when what was read there is not needed any more."""

from __future__ import annotations

import itertools

from autodiff.analysis.kind import Array
from autodiff.core.function import Function, within
from autodiff.core.operation import Access, Apply, Block, Load, Operation, Store, View
from autodiff.core.references import References
from autodiff.core.value import Value
from autodiff.dataflow.apart import apart
from autodiff.dataflow.distinct import Distinct
from autodiff.dataflow.uses import User, users
from autodiff.lean.merged import is_clearing, is_same_place

Users = dict[Value, list[User]]


def clear_later(function: Function, references: References) -> None:
    """Moves the clearing of a window behind the uses of what was there, which is not copied then.

    before: `g = w_bar[1:-1].copy()`, `w_bar[1:-1] = 0.0`, `u_bar[1:-1] += g`
    after: `g = w_bar[1:-1]`, `u_bar[1:-1] += g`, `w_bar[1:-1] = 0.0`
    """
    used, distinct = users(function), Distinct()
    for block in function.body.blocks():
        for load, op in list(itertools.pairwise(block.operations)):
            if op.reverse and isinstance(op, Store) and is_clearing(op):
                if isinstance(load, Load) and is_same_place(load, op):
                    moved(block, load, op, used, distinct)


def moved(block: Block, load: Load, clear: Store, used: Users, distinct: Distinct) -> None:
    """Moves one clearing, if nobody else touches the memory in between."""
    if not isinstance(load.result.kind, Array):
        return
    last = last_use(load.result, block, used)
    at = block.operations.index(clear)
    if last is None or last <= at:
        return
    for top in block.operations[at + 1 : last + 1]:
        for op in top.nested():
            given = list(op.operands)
            if isinstance(op, Access) and apart(load, op, None, True, False):
                given.remove(clear.base)  # another part of it
            if any(touches(value, clear.base, distinct) for value in given):
                return
    block.operations.remove(clear)
    block.operations.insert(last, clear)


def touches(value: Value, memory: Value, distinct: Distinct) -> bool:
    """Whether a value may be memory, or share it."""
    if value.region is None or value.region is not memory.region:
        return False
    return value is memory or not distinct.apart(value, memory)


def last_use(value: Value, block: Block, used: Users) -> int | None:
    """The place of the last operation of a block that reads what a value is, also where that prints
    later; None if that is not known.

    What the block hands on is computed where it stands: it is not printed behind the clearing.
    """
    last = -1
    for user in used.get(value, ()):
        if user is block and value.memory is None:
            continue
        if not isinstance(user, Operation):
            return None
        top = within(user, block)
        if top is None:
            return None
        last = max(last, block.operations.index(top))
        later = isinstance(user, (Load, View)) or (
            isinstance(user, Apply)
            and (user.primitive.memory != "new" or len(used.get(user.result, ())) == 1)
        )
        if later:
            further = last_use(user.results[0], block, used)
            if further is None:
                return None
            last = max(last, further)
    return last

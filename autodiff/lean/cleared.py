"""Adjoint memory is cleared when what was there is not needed any more, or not at all."""

from __future__ import annotations

import itertools

from autodiff.core import (
    Access,
    Apply,
    Block,
    Function,
    Load,
    Loop,
    Operation,
    References,
    Region,
    Store,
    User,
    Value,
    View,
    outputs,
    users,
    walk,
    within,
)
from autodiff.dataflow.apart import Distinct, apart
from autodiff.kinds.kind import Array
from autodiff.lean.merged import is_clearing, is_same_place


def last_clears(function: Function, references: References) -> None:
    """Drops the clearing of memory that is not read or written afterwards.

    before: `x_0_bar = y_bar[0]`, `y_bar[0] = 0.0`, `x_bar[0] += x_0_bar`
    after: `x_bar[0] += y_bar[0]`
    """
    body = function.body
    assert function.boundary is not None
    later: set[Region] = {v.region for v in outputs(function) if v.region is not None}
    for op in reversed(body.operations[function.boundary :]):
        if is_clearing(op) and op.base.region not in later:
            body.operations.remove(op)
            continue
        for inner in op.nested():
            later |= {v.region for v in inner.operands if v.region is not None}
    used, distinct = users(function), Distinct()
    for block in body.blocks():
        loop = block.parent
        if isinstance(loop, Loop) and loop.reverse:
            for op in reversed(block.operations):
                if is_clearing(op) and is_given_up(op, block, loop, used, distinct):
                    block.operations.remove(op)


def is_given_up(
    clear: Store, block: Block, loop: Loop, used: dict[Value, list[User]], distinct: Distinct
) -> bool:
    """Whether the rest of an iteration leaves what is cleared alone, and hands on other memory."""
    root = distinct.root(clear.base)
    if root is None or root[0] != "carried" or root[1] is not loop:
        return False
    if not all(is_before(user, loop) for user in used[loop.inits[root[2]]]):
        return False
    if root[2] not in distinct.rotating(loop):
        return False
    rest = list(walk(block.operations[block.operations.index(clear) + 1 :]))
    given = [*(op.operands for op in rest), *(b.results for op in rest for b in op.blocks)]
    return all(
        value.region is not clear.base.region or distinct.apart(value, clear.base)
        for values in (*given, block.results)
        for value in values
    )


def is_before(user: User, loop: Loop) -> bool:
    """Whether a user of what a loop begins with is the loop, or comes before it."""
    if user is loop or not isinstance(user, Operation):
        return user is loop
    top = within(user, loop.block)
    operations = loop.block.operations
    return top is not None and operations.index(top) < operations.index(loop)


Users = dict[Value, list[User]]


def clear_later(function: Function, references: References) -> None:
    """Moves the clearing of a window behind the uses of what was there, which is not copied then.

    before: `g = w_bar[1:-1].copy()`, `w_bar[1:-1] = 0.0`, `u_bar[1:-1] += g`
    after: `g = w_bar[1:-1]`, `u_bar[1:-1] += g`, `w_bar[1:-1] = 0.0`
    """
    used, distinct = users(function), Distinct()
    for block in function.body.blocks():
        for load, op in list(itertools.pairwise(block.operations)):
            if op.reverse and is_clearing(op):
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
                given.remove(op.base)  # another part of it
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

"""Shadows that the forward sweep only makes or swaps are made where the reverse sweep asks.

Adjoint memory is cleared when what was there is not needed any more, or not at all.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import numpy as np

from autodiff.analysis.kind import Array
from autodiff.core import Function, References, Region, User, Users, outputs, users, within
from autodiff.core.operation import Access, Apply, For, If, Load, Loop, Operation, Store, View
from autodiff.core.value import Block, Value, walk
from autodiff.dataflow.apart import Distinct, apart
from autodiff.lean.terms import is_clearing, is_same_place, is_zeros


def make_late(function: Function, references: References) -> None:
    """Moves adjoint memory that starts as zeros to where the reverse sweep uses it first.

    before: forward `u_bar = np.zeros_like(u)`, `u, w, u_bar, w_bar = w, u, w_bar, u_bar`
    after: forward `u, w = w, u`, reverse `u_bar = np.zeros_like(u)`
    """
    body = function.body
    assert function.boundary is not None
    for op in body.operations[: function.boundary]:
        if isinstance(op, For):
            exchanged(function, references, op)
    used = users(function)
    for op in body.operations[: function.boundary]:
        if is_zeros(op):
            move(function, op, used.get(op.result, ()))


def first_use(function: Function, found: Iterable[object]) -> int:
    """The place in the body of the first of some users, also deep inside."""
    body = function.body
    used = (user.parent if isinstance(user, Block) else user for user in found)
    tops = {within(op, body) for op in used if isinstance(op, Operation)}
    return next((k for k, op in enumerate(body.operations) if op in tops), len(body.operations))


def exchanged(function: Function, references: References, loop: For) -> None:
    """Buffers that a loop only swaps are distinct after it: their shadows can be made there."""
    found = [j for j, init in enumerate(loop.inits) if is_zeros(init.op) and init.op.shadow]
    used = users(function) if found else {}
    found = [j for j in found if used[loop.inits[j]] == [loop]]
    while True:
        inside = {loop.carried[j] for j in found}
        kept = [j for j in found if loop.body.results[j] in inside]
        if len(kept) == len(found):
            break
        found = kept
    boundary = function.boundary
    assert boundary is not None
    kinds = {loop.carried[j].kind for j in found}
    if not found or len({loop.inits[j] for j in found}) != len(found) or len(kinds) > 1:
        return
    if len({loop.body.results[j] for j in found}) != len(found):
        return
    if any(used[loop.carried[j]] != [loop.body] for j in found):
        return
    if any(first_use(function, used.get(loop.results[j], ())) < boundary for j in found):
        return
    [kind] = kinds
    if not isinstance(kind, Array) or None in kind.shape:
        return
    for j in reversed(found):
        init, result = loop.inits[j], loop.results[j]
        assert isinstance(init.op, Apply)
        made = Apply(
            init.op.primitive,
            init.op.application,
            init.op.form,
            [prototype(init.op.operands[0]), *init.op.operands[1:]],
            [result],
        )
        made.block, made.shadow = function.body, True
        function.body.operations.insert(function.boundary or 0, made)
        function.boundary = (function.boundary or 0) + 1
        loop.drop(j)
        function.body.operations.remove(init.op)
        function.boundary -= 1


def prototype(value: Value) -> Value:
    """What an array without order of axes is a copy of, which may be needed for longer anyway."""
    op = value.op
    if isinstance(op, Load) and op.window is None:
        return prototype(op.base)
    if isinstance(op, Apply) and op.primitive.function in (np.copy, np.zeros_like, np.empty_like):
        [whole, *_] = op.operands
        if (
            whole.kind == value.kind
            and isinstance(value.kind, Array)
            and len(value.kind.shape) == 1
        ):
            return prototype(whole)
    return value


def move(function: Function, made: Operation, used: Iterable[User]) -> None:
    """Zeros to just before the operation of the reverse sweep that uses them first."""
    body = function.body
    assert function.boundary is not None
    at = first_use(function, used)
    if not function.boundary <= at <= len(body.operations):
        return
    body.operations.insert(at, made)
    body.operations.remove(made)
    function.boundary -= 1
    first = body.operations[at] if at < len(body.operations) else None
    made.reverse = True
    made.origin = first.origin if first is not None and not first.blocks else None
    made.source = first.source if first is not None else None


def late_inside(function: Function, references: References) -> None:
    """Moves adjoint memory that only the reverse of the same block uses, so that it is not kept.

    before: forward `z_bar = np.zeros_like(z)`, `tape.push((z, z_bar))`
    after: reverse `z_bar = np.zeros_like(x)`
    """
    mirrors: dict[Block, Block] = {}
    for op in function.body.walk():
        if isinstance(op, (Loop, If)) and op.mirror is not None:
            mirrors.update(zip(op.mirror.blocks, op.blocks))
    used = users(function)
    for block, reverse in mirrors.items():
        for op in list(block.operations):
            if is_zeros(op) and op.shadow and not op.reverse:
                at = first_place(reverse, used.get(op.result, []))
                if at is not None:
                    op.operands[0] = like(function, op.operands[0])
                    block.operations.remove(op)
                    reverse.operations.insert(at, op)
                    user = reverse.operations[at + 1]
                    op.block = op.result.block = reverse
                    op.reverse, op.shadow = True, False
                    op.source, op.origin = user.source, None if user.blocks else user.origin


def first_place(block: Block, found: list[User]) -> int | None:
    """The place in a block of the first operation that uses a value; None if others use it, too."""
    places = []
    for user in found:
        if not isinstance(user, Operation) or not user.reverse:
            return None
        top = within(user, block)
        if top is None:
            return None
        places.append(block.operations.index(top))
    return min(places, default=None)


def like(function: Function, value: Value) -> Value:
    """An argument of the form of a value, which is there all the time; or the value itself."""
    kind = value.kind
    if isinstance(kind, Array) and None not in kind.shape and len(kind.shape) == 1:
        for given in function.body.parameters:
            if given.kind == kind:
                return given
    return value


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


def is_given_up(clear: Store, block: Block, loop: Loop, used: Users, distinct: Distinct) -> bool:
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

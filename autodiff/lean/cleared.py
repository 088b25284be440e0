"""Adjoint memory is cleared when what was there is not needed any more, or not at all."""

from __future__ import annotations

import itertools

import gast
import numpy as np

from autodiff.core import (
    Access,
    Accumulate,
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
    constant,
    outputs,
    users,
    walk,
    within,
)
from autodiff.dataflow.apart import Distinct, apart
from autodiff.dataflow.settle import rename
from autodiff.kinds.kind import Array, Scalar
from autodiff.lean.late import is_zeros
from autodiff.lean.merged import assign, is_clearing, is_same_place
from autodiff.primitives import Builder


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


Given = list[tuple[int, Accumulate]]
"""The elements, and what is added to them."""

_REAL = (Scalar("float", None), Scalar("float", "float64"))


def filled(function: Function, references: References) -> None:
    """Elements of new adjoint memory that are given one by one are not added to zeros.

    before: `x_bar = np.zeros_like(x)`, `x_bar[2] += a`, `x_bar[0] += b`
    after: `x_bar = np.array([b, 0.0, a])`; of unknown length `x_bar[2] = a`, `x_bar[0] = b`
    """
    used, swapped = users(function), dict[Value, Value]()
    for block in function.body.blocks():
        for op in list(block.operations):
            if not op.reverse or not is_zeros(op) or not isinstance(op.result.kind, Array):
                continue
            if len(op.result.kind.shape) != 1:
                continue
            given = elements_of(op, block, used.get(op.result, []))
            size = op.result.kind.shape[0]
            if given and isinstance(size, int) and is_real(op.result.kind, given):
                swapped[op.result] = shown(op, size, given, references, used)
                continue
            for each in dict(reversed(given)).values():
                assign(each, references, used)
    rename(function, swapped)


def elements_of(made: Apply, block: Block, found: list[User]) -> Given:
    """What is added to elements of new memory before anything else is done to it; where its length
    is not known an index from the end may be any.
    """
    tops: dict[Operation, User] = {}
    for user in found:
        own = user.parent if isinstance(user, Block) else user
        top = within(own, block)
        if top is not None:
            tops[top] = user
    size = made.result.kind.shape[0] if isinstance(made.result.kind, Array) else None
    given: Given = []
    for op in block.operations:
        if op not in tops:
            continue
        place = element(op, made.result) if tops[op] is op else None
        if place is not None and place < 0 and isinstance(size, int):
            place += size
        if place is None or any((place < 0) != (own < 0) for own, _ in given):
            break
        if isinstance(size, int) and not 0 <= place < size:
            break
        assert isinstance(op, Accumulate)
        given.append((place, op))
    return given


def element(op: Operation, base: Value) -> int | None:
    """The element to which an operation adds a number."""
    if not isinstance(op, Accumulate) or op.base is not base or op.scattered or op.window is None:
        return None
    parts = op.window.parts
    if len(parts) != 1 or type(parts[0]) is not int or not op.value.is_number:
        return None
    return parts[0] if op.operands.count(base) == 1 else None


def is_real(whole: Array, given: Given) -> bool:
    """Whether an array of what is given has the dtype that the zeros have."""
    return whole.dtype == "float64" and all(
        type(op.value.constant) is float if op.value.is_constant else op.value.kind in _REAL
        for _, op in given
    )


def shown(
    made: Apply, size: int, given: Given, references: References, used: dict[Value, list[User]]
) -> Value:
    """The array, written out where the last element is given."""
    block, last = made.block, given[-1][1]
    outer, block.operations = block.operations, []
    builder = Builder(block, references, last.origin, reverse=True)
    builder.source = last.source
    ends: dict[int, Value] = {}
    for place, op in given:
        if place in ends:
            step = gast.Add() if op.sign == "+" else gast.Sub()
            ends[place] = builder.binary(step, ends[place], op.value)
        else:
            ends[place] = op.value if op.sign == "+" else builder.unary(gast.USub(), op.value)
    whole = [ends.get(place, constant(0.0)) for place in range(size)]
    items = builder.display(list, tuple(range(size)), whole)
    own = builder.call("np.array", np.array, items, kind=made.result.kind)
    added, block.operations = block.operations, outer
    at = outer.index(last)
    outer[at:at] = added
    steps = [made, *(op for _, op in given)]
    block.operations = [op for op in outer if op not in steps]
    value = made.result
    used[own] = [user for user in used[value] if user not in steps]
    own.hint, own.named, own.memory = value.hint, value.named, value.memory
    return own

"""Tangents that may raise what a `try` catches are computed behind it: their errors are none of the
function's.

    try:                                   try:
        y = x**a                               y = x**a
    except OverflowError:                      raised = 0
        y = 1e10 * a                       except OverflowError:
                                               y = 1e10 * a
                                               raised = 1
                                           if raised:
                                               y_dot = 0.0
                                           else:
                                               y_dot = x_dot * a * x ** (a - 1)
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterable

from autodiff.core import Apply, Block, If, NotYet, Operation, Region, Try, Value, nothing, walk
from autodiff.dataflow.settle import renamed
from autodiff.kinds.kind import forget_values
from autodiff.reversal.pulled import is_item

_OF_NUMBERS = {ZeroDivisionError, OverflowError, ValueError}


def behind(op: Try) -> If | None:
    """What is computed behind a `try` instead of in its body; None if nothing has to be."""
    moved = risky(op)
    if not moved:
        return None
    whole = [each for each in op.body.operations if each.shadow]
    moved = whole if is_free(op, whole) else moved
    if not is_free(op, moved):
        raise NotYet("a tangent that may raise an error that is caught")
    branch = If(op.raised, op.origin)
    given = made_by(moved)
    known = {value: left(op, 0, value) for value in read_by(moved) if is_of(op.body, value, given)}
    op.body.operations = [each for each in op.body.operations if each not in moved]
    _, after = branch.blocks
    for each in moved:
        renamed(each, known)
        each.block = after
        for value in each.results:
            value.block = after
    after.operations += moved
    for j in reversed(range(len(op.results))):
        first, second, result = op.groups[j]
        if first in given:
            op.drop(j)
            branch.merge(left(op, 1, second), first, result)
    return branch


def risky(op: Try) -> list[Operation]:
    """The tangents of the body that may raise what is caught, and what is computed from them."""
    moved: list[Operation] = []
    given: set[Value] = set()
    for each in op.body.operations:
        if may_be_caught(op, each) or not read_by([each]).isdisjoint(given):
            moved.append(each)
            given.update(each.results)
    return moved


def may_be_caught(op: Try, made: Operation) -> bool:
    """Whether a tangent may raise an error that a `try` catches."""
    applied = [own for own in walk([made]) if own.shadow and isinstance(own, Apply)]
    found = {own.primitive.function for own in applied if own.raises and own.primitive.partial}
    errors = {ZeroDivisionError} if found <= {operator.truediv} else _OF_NUMBERS
    return bool(found) and any(issubclass(e, cls) for cls in op.classes for e in errors)


def is_free(op: Try, moved: list[Operation]) -> bool:
    """Whether operations may be done behind the body: none is the function's, and neither values
    nor memory that they make or change is read by what stays, or the other way round.
    """
    given = made_by(moved)
    stays = [own for own in op.body.operations if own not in moved]
    tangents = all(own.shadow for own in walk(moved)) and read_by(stays).isdisjoint(given)
    read = regions(v.memory for v in read_by(moved) if v.memory is not None and v not in given)
    other = regions(v.memory for v in read_by(stays) if v.memory is not None)
    return tangents and read.isdisjoint(changed_by(stays)) and other.isdisjoint(changed_by(moved))


def changed_by(operations: list[Operation]) -> set[Region]:
    """Memory that operations change."""
    return regions(e.region for own in operations for e in own.effects() if e.what == "write")


def made_by(operations: list[Operation]) -> set[Value]:
    """What operations give."""
    return {value for each in operations for value in each.results}


def regions(found: Iterable[Region]) -> set[Region]:
    """Regions as they are now."""
    return {region.find() for region in found}


def is_of(block: Block, value: Value, given: set[Value]) -> bool:
    """Whether a value is made in a block, and stays there."""
    return value.block is block and value not in given


def left(op: Try, side: int, value: Value) -> Value:
    """A value of one block, as it is seen behind the `try`: it holds nothing on the other path."""
    if value.block is not op.blocks[side]:
        return value
    for group in op.groups:
        if group[side] is value:
            return group[2]
    hint = value.hint if value.hint.isidentifier() else "value"
    result = Value(hint, forget_values(value.kind), value.memory, named=True)
    result.partial = True
    pair = (value, nothing(hint))
    op.merge(*(pair if side == 0 else pair[::-1]), result)
    return result


def reads_later(made: list[Operation], later: list[Operation]) -> bool:
    """Whether a tangent reads a part of several results that is still to come."""
    parts = {each.results[0] for each in itertools.takewhile(is_item, later)}
    return not read_by(made).isdisjoint(parts)


def read_by(operations: list[Operation]) -> set[Value]:
    """What operations read, also deep inside."""
    found = {value for op in walk(operations) for value in op.operands}
    inner = (block for op in walk(operations) for block in op.blocks)
    return found.union(*(block.results for block in inner))

"""Adjoint memory is not cleared when nobody looks at it any more."""

from __future__ import annotations

from autodiff.core.function import Function, within
from autodiff.core.operation import Block, Loop, Operation, Store, walk
from autodiff.core.references import References
from autodiff.core.region import Region
from autodiff.core.value import Value
from autodiff.dataflow.distinct import Distinct
from autodiff.dataflow.uses import User, outputs, users
from autodiff.lean.merged import is_clearing


def last_clears(function: Function, references: References) -> None:
    """Drops the clearing of memory that is not read or written afterwards.

    before: `x_0_bar = y_bar[0]`, `y_bar[0] = 0.0`, `x_bar[0] += x_0_bar`
    after: `x_bar[0] += y_bar[0]`
    """
    body = function.body
    assert function.boundary is not None
    later: set[Region] = {v.region for v in outputs(function) if v.region is not None}
    for op in reversed(body.operations[function.boundary :]):
        if isinstance(op, Store) and is_clearing(op) and op.base.region not in later:
            body.operations.remove(op)
            continue
        for inner in op.nested():
            later |= {v.region for v in inner.operands if v.region is not None}
    used, distinct = users(function), Distinct()
    for block in body.blocks():
        loop = block.parent
        if isinstance(loop, Loop) and loop.reverse:
            for op in reversed(block.operations):
                if isinstance(op, Store) and is_clearing(op):
                    if is_given_up(op, block, loop, used, distinct):
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
    assert loop.block is not None
    if user is loop or not isinstance(user, Operation):
        return user is loop
    top = within(user, loop.block)
    operations = loop.block.operations
    return top is not None and operations.index(top) < operations.index(loop)

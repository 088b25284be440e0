"""Memory that is other memory from an operation on, under all its names, and views of that."""

from __future__ import annotations

from autodiff.core import Block, Function, If, Loop, NotYet, Operation, Value, View
from autodiff.dataflow.settle import mapped, renamed


def views_of(memory: list[Value]) -> list[Value]:
    """What only looks at other memory of these, behind what it looks at."""

    def depth(value: Value) -> int:
        op = value.op
        return 1 + depth(op.base) if isinstance(op, View) and op.base in memory else 0

    return sorted((value for value in memory if depth(value)), key=depth)


def made_again(
    function: Function, op: Operation, views: list[Value], behind: dict[Value, Value]
) -> None:
    """Behind an operation, views of what it leaves in place of those of what was there before."""
    block, at = op.block, op.block.operations.index(op)
    for old in views:
        assert isinstance(old.op, View)
        base, *index = old.op.operands
        new = behind[old] = Value(old.hint, old.kind, old.memory, old.named)
        view = View([behind[base], *index], [new], old.op.window, old.op.origin)
        view.block, view.contexts, new.block, at = block, op.contexts, block, at + 1
        block.operations.insert(at, view)
        rebind(function, view, old, new)


def rebind(function: Function, op: Operation, old: Value, new: Value) -> None:
    """From an operation on, memory is other memory: as if its name was assigned."""
    block, inner = op.block, op
    while True:
        for later in block.operations[block.operations.index(inner) + 1 :]:
            renamed(later, {old: new})
        block.results = [new if value is old else value for value in block.results]
        parent = block.parent
        if old.block is block or parent is None:
            if block is function.body:
                function.result = mapped(function.result, {old: new}.get)
            return
        new = passed(parent, block, old, new)
        inner, block = parent, parent.block


def passed(parent: Operation, block: Block, old: Value, new: Value) -> Value:
    """What memory is behind a loop or a branch, in a block of which it becomes other memory."""
    result = Value(old.hint, old.kind, old.memory, old.named)
    if isinstance(parent, Loop):
        parameter = Value(old.hint, old.kind, old.memory, old.named)
        for op in block.operations:
            renamed(op, {old: parameter})
        parent.carry(old, parameter, new, result)
    elif isinstance(parent, If):
        ends = [new if own is block else old for own in parent.blocks]
        parent.merge(ends[0], ends[1], result)
    else:
        raise NotYet("a checkpointed loop in a block of another form")
    return result

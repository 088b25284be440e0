"""What memory is while the reverse sweep runs, where each write is undone.

Branches that run once still hold their variables; a `try` that raises leaves no pushes.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping

from autodiff.core import Function, If, Load, Operation, Push, Region, Store, Try, within
from autodiff.core.value import Block, Value, nothing
from autodiff.emit.naming import hint


class Undone:
    """For each operation, how far writes beside it are undone where its adjoint stands.

    A write is undone in front of the first operation of the reverse sweep whose source does not
    come behind it. Adjoints mostly stand in the reverse order of their sources: memory is then as
    it was before the source. One that was merged with another may stand earlier, and takes what
    is behind it in the sweep along.

    levels: blocks of the forward sweep, and the operations of the reverse sweep that undo each.
    """

    def __init__(self, levels: Mapping[Block, Iterable[Operation]]) -> None:
        self.states: dict[Operation, set[float]] = {}
        self.writers: dict[tuple[Block, Region], list[float]] = {}
        for forward, operations in levels.items():
            lowest: float | None = None
            for op in operations:
                source = within(op.source, forward) if op.reverse else None
                if source is not None:
                    lowest = source.number if lowest is None else min(lowest, source.number)
                    self.states.setdefault(source, set()).add(lowest)

    def untouched(self, load: Load, source: Operation | None) -> bool:
        """Whether the adjoint of an operation finds in restored memory what a load found; or what
        undoes a write, which is of the reverse sweep itself.
        """
        block, region = load.block, load.base.region
        assert region is not None
        undoes = source is not None and source.reverse
        source = source.source if undoes and source is not None else source
        user = within(source, block) if source is not None else None
        if user is None:
            return False
        left = {user.number + 1} if undoes and user is source else {user.number}
        if (user is not source or user.blocks) and user.writes(region):
            return False
        for state in left if undoes else self.states.get(user, left):
            first, last = sorted((load.number, state))
            if self.is_written(block, region, first + (first == load.number), last):
                return False
        while block.parent is not None:
            around = block.parent
            block = around.block
            if any(
                self.is_written(block, region, state, around.number)
                for state in self.states.get(around, ())
            ):
                return False
        return True

    def is_written(self, block: Block, region: Region, first: float, last: float) -> bool:
        """Whether an operation with a number from `first` to before `last` writes to a region."""
        key = block, region.find()
        if key not in self.writers:
            self.writers[key] = sorted(
                op.number for op in block.operations if not op.reverse and op.writes(region)
            )
        places = self.writers[key]
        return bisect_left(places, first) < bisect_left(places, last)


def moment(op: Operation | None) -> Operation | None:
    """The operation whose adjoint an operation belongs to; itself where it undoes a write, as it
    finds what that has left.
    """
    source = op.source if op is not None else None
    if isinstance(op, Store) and isinstance(source, Store):
        return op if op.base.region is source.base.region else source
    return source


def outlives(function: Function, value: Value) -> bool:
    """Whether a variable of a branch still holds its value when the reverse sweep takes the same
    branch: no loop and no `try` is around it. What a pullback is given may not hold nothing.
    """
    block = value.block
    while block is not function.body:
        if type(block.parent) is not If:
            return False
        block = block.parent.block
    return value.memory is None or function.seeds is None


def joined(body: Block, value: Value) -> Value:
    """A value of a branch, in the body: nothing where the other branch ran.

    before: `if x > 0: half = f(x)`, `tape.push(half)`
    after: `if x > 0: half = f(x)`
    """
    block = value.block
    while block is not body:
        branch = block.parent
        assert isinstance(branch, If)
        if value in block.results:
            result = branch.results[block.results.index(value)]
        else:
            result = Value(hint(value), value.kind, value.memory, named=True)
            result.partial = True
            none = nothing(hint(value))
            ends = (value, none) if block is branch.blocks[0] else (none, value)
            branch.merge(*ends, result)
        value, block = result, branch.block
    return value


def place_of_push(body: Block, last: Operation | None) -> Operation | None:
    """The operation behind which the body pushes: what may raise is over."""
    return next((op for op in reversed(body.operations) if op is last or raising(op)), None)


def mark_cut(body: Block) -> None:
    """Whoever leaves the body of a `try` half-way takes off the tape what it has pushed."""
    for op in [op for op in body.walk() if isinstance(op, Try) and not op.leaves]:
        pushed = False
        for top in op.body.operations:
            pushed = pushed or any(isinstance(each, Push) for each in top.nested())
            if pushed and raising(top):
                op.cut = True


def raising(op: Operation) -> bool:
    """Whether an operation, or one in it, raises what is caught."""
    return any(inner.caught for inner in op.nested())

"""What memory is while the reverse sweep runs, where each write is undone."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping

from autodiff.core.function import within
from autodiff.core.operation import Block, Load, Operation, Store
from autodiff.core.region import Region


class Undone:
    """For each operation, how far writes beside it are undone where its adjoint stands.

    A write is undone in front of the first operation of the reverse sweep whose source does not
    come behind it. Adjoints mostly stand in the reverse order of their sources: memory is then as
    it was before the source. One that was merged with another may stand earlier, and takes what
    is behind it in the sweep along.

    levels: blocks of the forward sweep, and the operations of the reverse sweep that undo each.
    """

    def __init__(self, levels: Mapping[Block, Iterable[Operation]]) -> None:
        self.states: dict[Operation, set[int]] = {}
        self.writers: dict[tuple[Block, Region], list[int]] = {}
        for forward, operations in levels.items():
            lowest: int | None = None
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
        assert block is not None
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
            assert around.block is not None
            block = around.block
            if any(
                self.is_written(block, region, state, around.number)
                for state in self.states.get(around, ())
            ):
                return False
        return True

    def is_written(self, block: Block, region: Region, first: int, last: int) -> bool:
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

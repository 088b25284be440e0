"""From where to where in the text a value lives."""

from __future__ import annotations

import bisect
import itertools

from autodiff.core.operation import Block, If, Loop
from autodiff.core.statements import Try
from autodiff.core.value import Value
from autodiff.emit.looking import LAST, has_nothing, joined
from autodiff.emit.places import Places

Life = list[tuple[float, float]]
"""Pieces of the text: from where to where."""


class Lives:
    """The lives of values, from their definition to their last use."""

    def __init__(self, places: Places) -> None:
        self.places = places
        is_branch = (isinstance(op, If) and not isinstance(op, Try) for op in places.start)
        self.branches = [*itertools.compress(places.start, is_branch)]

    def of(self, value: Value) -> Life:
        """What only an `else` still reads does not live in the other branch."""
        places = self.places
        start: float = places.where(value)
        end = max(places.reach(value), start + 0.5)
        if end == start + 0.5 and value.block is not None and is_carried(value):
            end = start
        if value in (places.function.seeds or ()):
            start = float(places.boundary)
        elif places.function.seeds is not None and start < places.boundary < end:
            end = LAST  # a pullback may be called again
        pieces, low = [], start
        for a, b in sorted(self.gaps(value, start, end)):
            pieces.append((low, float(a)))
            low = float(b)
        own = value.op or (value.block.parent if value.block is not None else None)
        if value.partial and own is not None and has_nothing(own, value) and self.is_read(value):
            pieces.append((0.0, float(places.start[own])))  # nothing else has its name before
        return [*pieces, (low, end)]

    def gaps(self, value: Value, start: float, end: float) -> list[tuple[int, int]]:
        """Where the branches are, between its last use there and the `else`, in which it ends."""
        places, found = self.places, []
        first = bisect.bisect_left(self.branches, start, key=places.start.__getitem__)
        for op in itertools.islice(self.branches, first, None):
            begins, middle = places.start[op], places.stop[op.blocks[0]]
            if begins >= end:
                break
            if middle < end <= places.stop[op.blocks[1]]:
                spots = [spot for spot in places.spots(value) if spot[0] <= middle]
                through = (places.through(value, *spot) for spot in spots)
                found.append((max([begins, *through]), middle))
        return found

    def is_read(self, value: Value) -> bool:
        """Whether the forward sweep reads a variable: an error where it holds nothing."""
        for user in self.places.users.get(value, ()):
            op = user.parent if isinstance(user, Block) else user
            if op is None or not op.reverse:
                joins = isinstance(user, Block) and isinstance(op, If)
                if not joins or any(map(self.is_read, joined(value, user))):
                    return True
        return False


def is_carried(value: Value) -> bool:
    """Whether a loop carries a value."""
    loop = value.block.parent if value.block is not None and value.op is None else None
    return isinstance(loop, Loop) and value in loop.carried


def disjoint(life: Life) -> Life:
    """In order, what overlaps as one."""
    found: Life = []
    for start, end in sorted(life):
        if found and start < found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found


def meets(life: Life, other: Life) -> bool:
    """Whether two lives of disjoint pieces overlap."""
    for start, end in other:
        before = bisect.bisect_left(life, (end,))  # those that start before it ends
        if before and life[before - 1][1] > start:
            return True
    return False

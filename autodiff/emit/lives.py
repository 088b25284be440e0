"""From where to where in the text a value lives."""

from __future__ import annotations

import bisect
import itertools

from autodiff.core import If, Loop, Operation, Try, ends
from autodiff.core.value import NOTHING, Block, Value
from autodiff.emit.looking import LAST, joined
from autodiff.emit.placement import Places

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
        if end == start + 0.5 and is_carried(value):
            end = start
        if value in (places.function.seeds or ()):
            start = float(places.boundary)
        elif places.function.seeds is not None and start < places.boundary < end:
            end = LAST  # a pullback may be called again: no other variable there has its name
        pieces, low = [], start
        for a, b in [] if end == LAST else sorted(self.gaps(value, start, end)):
            pieces.append((low, float(a)))
            low = float(b)
        return [*pieces, (low, end)]

    def before(self, value: Value) -> Life:
        """Where nothing else has the name of what may hold nothing: in front of what makes it."""
        own = value.maker if value.partial else None
        if own is None:
            return []
        first = ends(value)[: 1 if isinstance(own, Loop) else 2]
        if any(end.constant is NOTHING for end in first) and self.is_read(value):
            return [(0.0, float(self.places.start[own]))]
        return []

    def gaps(self, value: Value, start: float, end: float) -> list[tuple[float, float]]:
        """Where the branches are, from its last use there to an `else` that reads it, if nobody
        else does who comes by there.
        """
        places, uses = self.places, sorted(self.places.uses(value))
        found: list[tuple[float, float]] = []
        first = bisect.bisect_left(self.branches, start, key=places.start.__getitem__)
        for op in itertools.islice(self.branches, first, None):
            begins, middle, stop = places.start[op], *(places.stop[own] for own in op.blocks)
            if begins >= end:
                break
            within, behind = bisect.bisect_right(uses, middle), bisect.bisect_right(uses, stop)
            if within < behind and all(self.excludes(op, use) for use in uses[behind:]):
                found.append((max([begins, *uses[:within][-1:]]), middle))
        return found

    def excludes(self, op: Operation, use: int) -> bool:
        """Whether who comes by an operation does not come to a place behind it: it is in the `else`
        of a branch around.
        """
        block = op.block
        while block.parent is not None:
            if isinstance(block.parent, If) and not isinstance(block.parent, Try):
                one, other = (self.places.stop[own] for own in block.parent.blocks)
                if block is block.parent.blocks[0] and one < use <= other:
                    return True
            block = block.parent.block
        return False

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
    loop = value.block.parent if value.op is None else None
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


def overlap(a: Life, b: Life) -> bool:
    """Whether two lives overlap."""
    return any(p[0] < q[1] and q[0] < p[1] for p in a for q in b)

"""Whether two values of one region are different memory for sure."""

from __future__ import annotations

from typing import Literal

from autodiff.core.function import place_of, within
from autodiff.core.operation import Apply, Load, Loop, Operation
from autodiff.core.statements import Move
from autodiff.core.value import Value

Root = tuple[Literal["new", "carried", "result"], Operation, int]
"""Made by an operation; what a loop carries at a place; what it leaves there."""


class Distinct:
    """Two buffers that a loop swaps are one region, but never one memory.

    `rotating` gives the places of a loop that only exchange what they hold, or are given new
    memory.
    """

    def __init__(self) -> None:
        self.known: dict[Loop, frozenset[int]] = {}

    def apart(self, one: Value, other: Value) -> bool:
        """Whether both never are the same memory, nor parts of it."""
        a, b = self.root(one), self.root(other)
        return a is not None and b is not None and self.are_apart(a, b)

    def root(self, value: Value) -> Root | None:
        """Where memory comes from; None if that is not known."""
        op = value.op
        while isinstance(op, Move) or isinstance(op, Load) and op.window is None:
            value = op.operands[op.results.index(value)]
            op = value.op
        if isinstance(op, Apply):
            return ("new", op, 0) if op.primitive.memory == "new" else None
        found = place_of(value)
        return None if found is None else ("result" if op else "carried", *found)

    def are_apart(self, a: Root, b: Root) -> bool:
        if a[0] == b[0] == "new":
            return a[1] is not b[1]
        for one, other in ((a, b), (b, a)):
            if one[0] == "carried" and other[0] == "new":
                loop = one[1]
                assert isinstance(loop, Loop)
                return within(other[1], loop.body) is not None
        if a[0] == b[0] and a[1] is b[1] and isinstance(a[1], Loop):
            return a[2] != b[2] and {a[2], b[2]} <= self.rotating(a[1])
        return False

    def rotating(self, loop: Loop) -> frozenset[int]:
        """The places of a loop that never hold the same memory."""
        found = self.known.get(loop)
        if found is None:
            self.known[loop] = frozenset()  # while it is found out
            found = self.known[loop] = self.exchanged(loop)
        return found

    def exchanged(self, loop: Loop) -> frozenset[int]:
        """The places that get new memory, or what another of them held, each something else; and
        that hold different memory at first.
        """
        following = {j: self.root(value) for j, value in enumerate(loop.body.results)}
        places = {
            j
            for j, root in following.items()
            if loop.inits[j].region is not None
            and root is not None
            and (self.is_inside(root, loop) or root[1] is loop)
        }
        while True:
            kept = {
                j
                for j in places
                if (root := following[j]) is not None
                and (root[0] == "new" or root[0] == "carried" and root[2] in places)
                and all(following[k] != root for k in places if k != j)
            }
            if kept == places:
                break
            places = kept
        inits = loop.inits
        for j in places:
            for k in places:
                if j < k and not self.apart(inits[j], inits[k]):
                    return frozenset()
        return frozenset(places)

    def is_inside(self, root: Root, loop: Loop) -> bool:
        """Whether memory is made in each iteration."""
        return root[0] == "new" and within(root[1], loop.body) is not None

"""Whether a write never touches, after a load, what the load read.

Whether two values of one region are different memory for sure.
"""

from __future__ import annotations

from typing import Any

from autodiff.core import NOWHERE, At, Block, Move, Span, Value, around, place_of, within
from autodiff.core.operation import Access, Apply, For, Load, Loop, Operation, View
from autodiff.dataflow.integers import Place, affine, argument, least, step_sign


def direction(loop: For) -> int:
    """The sign by which the variable of a loop over a range moves, 0 if it is not known."""
    sign = step_sign(loop.over.op)
    return -sign if loop.backwards else sign


def axes(op: Access) -> list[Value | int | Span]:
    """The numbers and slices of the first axes of a window, as far as each part is an axis."""
    found: list[Value | int | Span] = []
    for part in op.window.parts if op.window is not None else ():
        if isinstance(part, At) and op.index[part.number].is_number:
            found.append(op.index[part.number])
        elif isinstance(part, (int, Span)):
            found.append(part)
        else:
            break
    return found


def apart(load: Access, write: Operation, loop: Loop | None, later: bool, again: bool) -> bool:
    """Whether `write` never touches, after the load, what the load read.

    loop: the innermost loop that both stand in. later: the write comes behind the load in an
    iteration of it. again: it also comes in further iterations.
    """
    load = through(load)
    if not isinstance(write, Access) or write.base is not load.base:
        return False
    if again and loop is not None and is_inside(load.base, loop.body):
        return False  # it may be other memory in each iteration, or another part of it
    return any(
        apart_on_axis(one, two, loop, later, again)
        or ordered(above(load, one), below(write, two), loop if again else None, 1)
        or ordered(below(load, one), above(write, two), loop if again else None, -1)
        for one, two in zip(axes(load), axes(write))
    )


def through(access: Access) -> Access:
    """The view by which an access reads all of a part of memory."""
    while access.window is None and isinstance(access.base.op, View):
        access = access.base.op
    return access


def apart_on_axis(
    load: Value | int | Span, write: Value | int | Span, loop: Loop | None, later: bool, again: bool
) -> bool:
    """Whether two numbers are different ones, also those of further iterations."""
    if isinstance(load, Span) or isinstance(write, Span):
        return False
    one, two = ((None, each) if isinstance(each, int) else affine(each) for each in (load, write))
    if one[0] is not two[0]:
        return False
    if one[0] is None:
        return one[1] != two[1] and (one[1] >= 0) == (two[1] >= 0)
    lowest = least(one[0])
    if lowest is None or lowest + min(one[1], two[1]) < 0:
        return False  # negative places count from the end
    if not again:
        return one[1] != two[1]
    if not isinstance(loop, For) or one[0] is not loop.variable:
        return False
    ahead = (two[1] - one[1]) * direction(loop)
    return ahead > 0 or ahead == 0 and not later and direction(loop) != 0


def ordered(high: list[Place], low: list[Place], loop: Loop | None, sign: int) -> bool:
    """Whether what is below a number of `high` (sign 1; -1: the other way round) never is what is
    not below one of `low`, also not in further iterations of a loop.
    """
    return any(
        one[0] is two[0]
        and (two[1] - one[1]) * sign >= 0
        and (loop is None or one[0] is None or stays(one[0], loop, sign))
        for one in high
        for two in low
    )


def stays(variable: Value, loop: Loop, sign: int) -> bool:
    """Whether a number is the same in all iterations, or only moves away in the further ones."""
    if isinstance(loop, For) and variable is loop.variable:
        return direction(loop) == sign
    return not is_inside(variable, loop.body)


def above(op: Access, axis: Value | int | Span) -> list[Place]:
    """Numbers that all places on an axis are below: `k + 1` and `n` of `k` in `range(n)`."""
    if isinstance(axis, Span):
        return places(op, axis.high) if is_forwards(op, axis) else []
    value, offset = (None, axis) if isinstance(axis, int) else affine(axis)
    if offset < 0 if value is None else not is_positive(value, offset):
        return []
    return [(value, offset + 1), *end(value, 1, offset)]


def below(op: Access, axis: Value | int | Span) -> list[Place]:
    """Numbers that no place on an axis is below: `k`, and `j` of `k` in `range(j, n)`."""
    if isinstance(axis, Span):
        return places(op, axis.low) if is_forwards(op, axis) else []
    value, offset = (None, axis) if isinstance(axis, int) else affine(axis)
    if offset < 0 if value is None else not is_positive(value, offset):
        return []
    return [(value, offset), *end(value, 0, offset)]


def is_positive(value: Value, offset: int) -> bool:
    """Whether a place counts from the beginning."""
    lowest = least(value)
    return lowest is not None and lowest + offset >= 0


def is_forwards(op: Access, span: Span) -> bool:
    """Whether a slice takes places from the beginning, in their order."""
    return span.step in (None, 1) and all(
        limit is None or bool(places(op, limit)) for limit in (span.low, span.high)
    )


def places(op: Access, limit: int | At | None) -> list[Place]:
    """The number that a limit of a slice is, if it counts from the beginning."""
    if isinstance(limit, At):
        if not op.index[limit.number].is_number:
            return []
        value, offset = affine(op.index[limit.number])
        known = offset >= 0 if value is None else is_positive(value, offset)
        return [(value, offset)] if known else []
    return [] if limit is None or limit < 0 else [(None, limit)]


def end(value: Value | None, number: int, offset: int) -> list[Place]:
    """Where the range begins (0) or ends (1) that a number is the variable of a loop over."""
    loop = value.block.parent if value is not None else None
    if not isinstance(loop, For) or value is not loop.variable:
        return []
    made = loop.over.op
    if not isinstance(made, Apply) or step_sign(made) <= 0:
        return []
    ends = [argument(made, node) for node in made.application.arguments]
    limit = ends[-1 if len(ends) == 1 else number] if number or len(ends) > 1 else None
    if limit is None:
        return []
    variable, more = affine(limit)
    return [(variable, more + offset)]


def is_inside(value: Value, block: Block) -> bool:
    """Whether a value is defined in a block, or in one nested in it."""
    return block in [*around(value.block)]


Root = tuple[str, Any, int]
"""Made by an operation; what a loop carries at a place; what it leaves there; a parameter."""


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
        if op is None and value.block.parent is None and value.block is not NOWHERE:
            return ("given", value.block, 0)
        found = place_of(value)
        return None if found is None else ("result" if op else "carried", *found)

    def are_apart(self, a: Root, b: Root) -> bool:
        if a[0] == b[0] == "new":
            return a[1] is not b[1]
        if {a[0], b[0]} == {"new", "given"}:
            return True
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

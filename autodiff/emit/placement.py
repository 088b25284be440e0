"""Where in the text each operation stands, what prints inline there, and how long values live."""

from __future__ import annotations

import bisect
import itertools
import operator
from collections.abc import Iterator

from autodiff.core import Block, Break, Function, Move, Push, Region, User, Value, users, values_in
from autodiff.core.operation import Apply, For, Load, LoadOuter, Loop, Operation, Store, View
from autodiff.dataflow.apart import Distinct, apart
from autodiff.emit import looking
from autodiff.emit.budget import Budget
from autodiff.emit.compound import contexts_of
from autodiff.primitives import BOUND, is_world
from autodiff.primitives.containing import is_container


class Places:
    """Positions in the text to be. plain: what is kept on the tape has a name; long statements."""

    def __init__(self, function: Function, plain: bool = False) -> None:
        self.function, self.plain = function, plain
        self.start: dict[Operation, int] = {}
        self.stop: dict[Block, int] = {}
        self.users = users(function)
        self.returning = Block()
        """Reads what is returned beside adjoints, in front of a pullback if there is one."""
        for value in values_in(function.result):
            used = self.users[value]
            used[used.index(function.body)] = self.returning
        self.writes: dict[Region, list[tuple[int, Store | None]]] = {}
        self.distinct = Distinct()
        self.clock = 0
        self.boundary = looking.LAST
        self.number(function.body, function.boundary)
        self.caught = sorted(self.start[op] for op in self.start if op.caught)
        self.inline: set[Value] = set()
        """What prints where it is used."""
        self.budget = Budget(self.users, function.seeds is None, 4 if plain else 1)
        self.assigned = {
            value.hint
            for op in self.start
            for value in (*op.results, *(p for block in op.blocks for p in block.parameters))
            if value.named
        }
        self._spots: dict[Value, list[tuple[int, Block]]] = {}
        for op in reversed(list(function.body.walk())):
            if len(op.results) == 1 and self.is_inline(op):
                self.inline.add(op.result)

    def number(self, block: Block, boundary: int | None = None) -> None:
        """Give places to the operations of a block."""
        for i, op in enumerate(block.operations):
            if i == boundary:
                self.clock += 1
                self.boundary = self.clock
                for region in looking.changed_between(self.function):
                    self.writes.setdefault(region, []).append((self.clock, None))
            self.clock += 1
            self.start[op] = self.clock
            self.clock += isinstance(op, For)
            if not op.blocks:
                for effect in op.effects():
                    if effect.what == "write":
                        known = op if isinstance(op, Store) else None
                        self.writes.setdefault(effect.region.find(), []).append((self.clock, known))
            for inner in op.blocks:
                self.number(inner)
        self.clock += 1
        self.stop[block] = self.clock
        self.clock += any(isinstance(op, Break) for op in block.operations)

    def roots(self, value: Value, user: User) -> list[tuple[Value, User]]:
        """The operations or blocks whose statement holds what a user of a value prints, with what
        they hold.
        """
        if isinstance(user, Operation) and user.results and user.results[0] in self.inline:
            [own, *_] = user.results
            return [
                root for further in self.users.get(own, []) for root in self.roots(own, further)
            ]
        return [(value, user)]

    def spots(self, value: Value) -> list[tuple[int, Block]]:
        """Where in the text, and in which block, a value is read."""
        found = self._spots.get(value)
        if found is None:
            users = self.users.get(value, [])
            found = [self.place(*r) for user in users for r in self.roots(value, user)]
            self._spots[value] = found
        return found

    def place(self, value: Value, user: User) -> tuple[int, Block]:
        """Position and block of a user of a value."""
        if user is self.returning:
            body = self.function.body
            return self.boundary if self.function.seeds is not None else self.stop[body], body
        if isinstance(user, Block):
            return self.stop[user], user
        if isinstance(user, Break):  # behind what ends the body
            return self.stop[user.block] + 1, user.block
        if isinstance(user, For) and value is user.over:  # behind what is carried into it
            return self.start[user] + 1, user.block
        return self.start[user], user.block

    def is_written(
        self, region: Region | None, low: float, high: float, load: Load | None = None
    ) -> bool:
        """Whether something in between changes a region; with `load`, what of it that looks at."""
        if region is None:
            return False
        writes, at = self.writes.get(region.find(), []), operator.itemgetter(0)
        first, end = (
            bisect.bisect_right(writes, low, key=at),
            bisect.bisect_left(writes, high, key=at),
        )
        return any(
            load is None or other is None or not self.are_apart(load, other)
            for _, other in itertools.islice(writes, first, end)
        )

    def seen(self, load: Load) -> Value:
        """The memory that a load looks at in the text, also where that prints for a version."""
        base = load.base
        while isinstance(base.op, Load) and base.op.window is None and base in self.inline:
            base = base.op.base
        return base

    def are_apart(self, load: Load, write: Store) -> bool:
        """Whether a write does not touch what a load looks at."""
        return self.distinct.apart(load.base, write.base) or apart(load, write, None, True, False)

    def is_inline(self, op: Operation) -> bool:
        """Used once, of no name of the user's, and nothing that it reads is written before; sizes,
        ranges and the load of a whole (the memory's own name) however often they are used."""
        value = op.result
        if isinstance(op, LoadOuter):
            return not op.early
        if not isinstance(op, (Apply, Load, View)):
            return False
        spots = self.spots(value)
        if not spots or value.named and not op.reverse or isinstance(op, Apply) and op.beside:
            return False
        if any(isinstance(user, (Move, Break)) for user in self.users[value]):
            return False
        if self.plain and value.memory is not None and self.is_pushed(value):
            return False
        load = op if isinstance(op, Load) else None
        if load is not None and is_changed(load):
            return False
        still = all(
            not self.is_written(e.region, self.start[op], self.reach(value), load)
            for e in op.effects()
        )
        if isinstance(op, Load) and op.window is None and still:
            return True
        if isinstance(op, Apply) and op.primitive.memory == "new" and value.is_written:
            return False
        if (
            isinstance(op, Apply)
            and still
            and (op.primitive is BOUND or looking.is_static(op) or looking.is_asked_again(self, op))
        ):
            return True
        if still and looking.is_window(self, op, spots):
            return True
        if len(spots) != 1 or not still or len(self.users[value]) != 1:
            return False
        at, block = spots[0]
        [user] = self.users[value]
        [(_, root)] = self.roots(value, user)
        if block is not op.block or self.is_kept(op, at, root) or looking.would_copy(self, op, at):
            return False
        if contexts_of(op) != contexts_of(root):
            return False
        if (op.caught or is_world(op)) and self.is_overtaken(op, at, root):
            return False
        if (op.reverse or self.crosses(op, at)) and not self.budget.fits(value, root, user):
            return False
        self.budget.spend(value, root, user)
        return True

    def is_pushed(self, value: Value) -> bool:
        """Whether a value goes on the tape."""
        return any(isinstance(user, Push) for user in self.users[value])

    def is_overtaken(self, op: Operation, at: int, root: User) -> bool:
        """Whether something between an operation whose error is caught and its use would come first
        that raises as well or is seen by others.
        """
        start = self.start[op]
        written = any(start < place < at for found in self.writes.values() for place, _ in found)
        if written or any(start < place < at for place in self.caught):
            return True
        return any(
            start < place < at and looking.overtaken(op, other)
            for other, place in self.start.items()
        )

    def crosses(self, op: Operation, at: int) -> bool:
        """Whether an operation of the forward sweep would be printed in the reverse sweep."""
        return self.start[op] < self.boundary < at

    def is_kept(self, op: Operation, at: int, root: User) -> bool:
        """Whether a pullback would compute it anew each time that it is called; what is returned
        beside adjoints belongs to the forward sweep, too.
        """
        if not self.crosses(op, at) or isinstance(op, (Load, View)):
            return False
        return self.function.seeds is not None or root is self.returning

    def where(self, value: Value) -> int:
        """Where a value is defined."""
        if value.op is None:
            return self.start[value.block.parent] if value.block.parent else 0
        return self.stop[value.op.blocks[-1]] if value.op.blocks else self.start[value.op]

    def reach(self, value: Value) -> float:
        """The last place where a value is read; what is of outside of a loop lives through it."""
        return max([self.where(value), *self.uses(value)])

    def uses(self, value: Value) -> Iterator[int]:
        """The places up to which it lives."""
        for user in self.users.get(value, ()):
            if isinstance(user, View) or isinstance(user, Apply) and user.primitive.memory != "new":
                if user.result.memory is not None:  # it may be the same memory under another name
                    yield self.where(user.result)
                    yield from self.uses(user.result)
        for spot in self.spots(value):
            yield self.through(value, *spot)

    def through(self, value: Value, at: int, block: Block) -> int:
        """The end of the loops around a place that a value comes into from outside."""
        inner = block
        while inner is not value.block and inner.parent is not None:
            if isinstance(inner.parent, Loop):
                at = max(at, self.stop[inner])
            inner = inner.parent.block
        return at


def is_changed(load: Load) -> bool:
    """Whether somebody writes to what a load gives: it is memory of its own. An item of a container
    is itself.
    """
    value, base = load.result, load.base
    item = load.window is not None and is_container(base.kind)
    return value.is_array and value.is_written and value.region is not base.region and not item

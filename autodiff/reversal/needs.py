"""What the reverse sweep reads that would be lost, and how each of it is had again."""

from __future__ import annotations

from collections.abc import Container

from autodiff.core import Access, Accumulate, Block, Function, Region, Value, walk, within
from autodiff.core.operation import Apply, For, If, Load, LoadOuter, Loop, Operation, Store, View
from autodiff.dataflow.apart import apart
from autodiff.kinds.kind import Array, Scalar, Sequence
from autodiff.primitives.containing import holds, is_container
from autodiff.reversal.prices import PYTHON, Prices
from autodiff.reversal.pulled import is_item
from autodiff.reversal.repeats import Need, cost, fewer, room, spared
from autodiff.reversal.undone import Undone, moment, outlives

Known = dict[tuple[Value, Operation | None], bool]


class Needs:
    """Plans what is kept for the reverse sweep of one function.

    mirrors: for each block of the forward sweep the block that undoes it. restored: regions of
    which every write keeps what it overwrites. permuted: carried values that their loop only
    exchanges, with the place they move to. number: what a number costs that is kept beside others.
    moved: blocks of loops that only the reverse sweep needs, which computes everything itself.
    """

    def __init__(self, function: Function, prices: Prices = PYTHON) -> None:
        self.function, self.body, self.prices = function, function.body, prices
        boundary = function.boundary
        assert boundary is not None
        self.forward = function.body.operations[:boundary]
        self.reverse = function.body.operations[boundary:]
        assert all(op.reverse for op in self.reverse), "a forward operation in the reverse sweep"
        self.mirrors: dict[Block, Block] = {}
        self.loops: dict[Loop, Loop] = {}
        for op in self.body.walk():
            if isinstance(op, (Loop, If)) and op.mirror is not None:
                self.mirrors.update(zip(op.mirror.blocks, op.blocks))
                if isinstance(op, Loop):
                    assert isinstance(op.mirror, Loop)
                    self.loops[op.mirror] = op
        self.writes: dict[Region, list[Operation]] = {}
        for op in walk(self.forward):
            for effect in op.effects() if not op.blocks else ():
                if effect.what == "write":
                    self.writes.setdefault(effect.region.find(), []).append(op)
        levels = {own: block.operations for own, block in self.mirrors.items()}
        self.undone = Undone({self.body: self.reverse, **levels})
        self.restored: set[Region] = set()
        self.number = 1.0
        self.moved: set[Block] = set()
        self.kept: set[Operation] = set()
        self.stored = {
            op.value: op
            for op in walk(self.forward)
            if isinstance(op, Store) and not isinstance(op, Accumulate) and holds(op)
        }
        self.permuted = {p: to for loop in self.loops for p, to in self.permutation(loop).items()}

    def permutation(self, loop: Loop) -> dict[Value, int]:
        """The carried values that a loop only exchanges: for each, the place it moves to."""
        to = {
            p: j
            for p in loop.carried
            for j, n in enumerate(loop.body.results)
            if n is p and loop.carried[j] is not p
        }
        while any(loop.carried[j] not in to for j in to.values()):
            to = {p: j for p, j in to.items() if loop.carried[j] in to}
        return to

    def needs(self) -> list[Need]:
        """Values of inner blocks that the reverse sweep uses; also lost memory of the body."""
        found: list[Need] = []
        for op in walk(self.reverse):
            found += [(v, moment(op), op) for v in op.operands if self.is_lost(v)]
            found += [
                (v, None, None) for block in op.blocks for v in block.results if self.is_lost(v)
            ]
        ends = dict.fromkeys(end for v, _, _ in found for end in self.ends(v))
        return found + [(end, end.op, None) for end in ends]

    def cycle(self, value: Value) -> list[Value]:
        """The carried values among which a loop exchanges a value."""
        loop = value.block.parent
        found, following = [], value
        while isinstance(loop, Loop) and following in self.permuted and following not in found:
            found.append(following)
            following = loop.carried[self.permuted[following]]
        return found

    def ends(self, value: Value) -> list[Value]:
        """What the loop leaves of values that are exchanged, where that can be lost."""
        cycle = self.cycle(value)
        loop = cycle[0].block.parent if cycle else None
        if not isinstance(loop, Loop) or loop.block not in self.mirrors:
            return []
        return [loop.results[self.permuted[each]] for each in cycle]

    def is_lost(self, value: Value) -> bool:
        """Whether a value is of an inner block."""
        return value.block in self.mirrors

    def available(
        self,
        value: Value,
        source: Operation | None,
        pushed: Container[Value],
        known: Known | None = None,
    ) -> bool:
        """Whether a value can be had again without being pushed. known: what was found so far of
        others, beside the same that is pushed: they share what they are computed from.
        """
        if value.is_constant or value in pushed or value.block not in self.mirrors:
            return True
        known = {} if known is None else known
        key = value, source if self.restored else None
        found = known.get(key)
        if found is None:
            found = known[key] = self.is_available(value, source, pushed, known)
        return found

    def is_available(
        self, value: Value, source: Operation | None, pushed: Container[Value], known: Known
    ) -> bool:
        """The same, of a value of which nobody knows yet."""
        if value in self.permuted:
            return all(self.available(end, end.op, pushed, known) for end in self.ends(value))
        op = value.op
        if op is None:
            parent = value.block.parent
            return isinstance(parent, For) and value is parent.variable
        if self.held(value, source, pushed, known) is not None:
            return True
        if op in self.kept or not self.repeatable(op):
            return False
        if any(v.partial and v.block in self.mirrors for v in op.operands):
            return False
        if isinstance(op, Load) and op.base.is_written:
            here = op.base.region in self.restored
            if not (self.undone.untouched(op, source) if here else self.stable(op)):
                return False
        return all(self.available(v, source, pushed, known) for v in op.operands)

    def repeatable(self, op: Operation) -> bool:
        """Whether an operation may be done again: it is cheap and has no effects."""
        if isinstance(op, Load) and not is_container(op.base.kind):
            return not op.result.is_written  # a copy that somebody changes is not that
        if isinstance(op, (Load, View, LoadOuter)):
            return not (isinstance(op, LoadOuter) and op.early)
        if op.block in self.moved:
            return isinstance(op, Apply) and not op.result.is_written
        if not isinstance(op, Apply) or op.raises and op.primitive.raises:
            return False
        if any(effect.region.written for effect in op.effects()):
            return False
        if self.function.ordinary and is_item(op) and is_new(op.operands[0]):
            return False  # parts of several results have tangents each
        value = op.result
        if hasattr(op.form, "func") and outlives(self.function, value):  # a call
            return False
        if not (op.primitive.cheap or op.primitive.elementwise and isinstance(value.kind, Scalar)):
            return False
        return not (value.is_written and op.primitive.memory == "new")

    def held(
        self,
        value: Value,
        source: Operation | None,
        pushed: Container[Value],
        known: Known | None = None,
    ) -> Store | None:
        """The store from which a value can be loaded: its memory is there, too."""
        store = self.settled(value)
        operands = [] if store is None else [store.base, *store.index]
        found = all(self.available(v, source, pushed, known) for v in operands)
        return store if found else None

    def settled(self, value: Value) -> Store | None:
        """The store after which a value sits in memory for good."""
        store = self.stored.get(value)
        if store is None or store.block is not value.block or store.base.region in self.restored:
            return None
        return store if self.stable(store) else None

    def stable(self, load: Access) -> bool:
        """Whether nothing writes there after the load, so that it can be repeated."""
        base, region, block, at = load.base, load.base.region, load.block, load
        assert region is not None
        if region.exposed:
            return False
        here: Operation = at
        while True:
            loop = block.parent if isinstance(block.parent, Loop) else None
            fresh = self.fresh(base, block) if loop is not None else None
            for write in self.writes.get(region, ()):
                inner = within(write, block)
                if inner is None:
                    continue
                later = block.operations.index(inner) > block.operations.index(here)
                again = loop is not None and not (
                    fresh is not None
                    and isinstance(write, Access)
                    and self.fresh(write.base, block) is fresh
                )
                if (later or again) and not apart(load, write, loop, later, again):
                    return False
            if block.parent is None:
                return True
            here = block.parent
            block = here.block

    def fresh(self, memory: Value, block: Block) -> Operation | None:
        """What makes memory anew in each iteration; views of it are the same memory."""
        op = memory.op
        while isinstance(op, View) or isinstance(op, Apply) and op.primitive.memory == "view":
            op = op.operands[0].op
        made = isinstance(op, Apply) and op.primitive.memory == "new"
        if isinstance(op, Load):  # an item of a container is the same in other iterations
            made = op.window is None or not is_container(op.base.kind)
        return op if made and op is not None and within(op, block) is not None else None

    def plan(self) -> dict[Value, None]:
        """The values to push: needed and not available; then fewer where one gives others."""
        pushed: dict[Value, None] = {}
        together: dict[Operation | None, list[Need]] = {}
        for need in self.needs():
            together.setdefault(self.around(need[0]), []).append(need)
        for needs in together.values():
            pushed |= self.planned(needs)
        return pushed

    def around(self, value: Value) -> Operation | None:
        """The operation of the body that has a value; what that is computed from is there, too."""
        return within(value.maker, self.body)

    def planned(self, needs: list[Need]) -> dict[Value, None]:
        """The values to push in one operation of the body."""
        pushed: dict[Value, None] = {}
        known: Known = {}
        for value, source, _ in needs:
            if not self.available(value, source, pushed, known):
                known = {}
                for chosen in self.cheapest(value, source, set(pushed)):
                    pushed[chosen] = None
        direct = {v for v, _, _ in needs if not self.restored}
        for value in sorted(pushed, key=position):
            others, known = set(pushed) - {value}, {}
            asked = [(value, None, None)] if value in direct else needs  # the others use it alone
            if all(self.available(v, source, others, known) for v, source, _ in asked):
                del pushed[value]
        return spared(self, needs, fewer(self, needs, pushed))

    def cheapest(self, value: Value, source: Operation | None, pushed: set[Value]) -> list[Value]:
        """What to push for a value: itself, or memory that holds it for good: that is no copy."""
        op = value.op
        if isinstance(op, Load) and op.window is None and isinstance(value.kind, Array):
            if self.available(value, source, pushed | {op.base}):
                return [op.base]
        return [value]

    def choose(self) -> None:
        """For each written region: keep what loads saw, or keep what writes overwrite."""
        for region, writes in self.writes.items():
            possible = all(
                isinstance(op, Store)
                and (op.block is self.body or op.block in self.mirrors)
                and self.is_basic(op)
                for op in writes
            )
            if region.exposed or not possible:
                continue
            needs, pushed = self.needs(), self.plan()
            final, entries = cost(self, needs, pushed), room(self, pushed)
            if not pushed:
                return
            self.restored.add(region)
            needs, pushed = self.needs(), self.plan()
            if cost(self, needs, pushed, entries <= room(self, pushed)) >= final:
                self.restored.discard(region)

    def is_basic(self, op: Store) -> bool:
        """Whether a write can be undone by a store of what was there: in a dict may be nothing."""
        kind = op.base.kind
        numbers = isinstance(kind, Sequence) and isinstance(kind.item, Scalar)
        return numbers or not is_container(kind)


def position(value: Value) -> float:
    """The place of a value in the forward sweep."""
    return value.op.number if value.op is not None else -1


def is_new(value: Value) -> bool:
    """Whether an operation makes new memory of a value."""
    return isinstance(value.op, Apply) and value.op.primitive.memory == "new"

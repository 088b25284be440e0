"""Pushes, pops, and what is computed again, put into both sweeps: what the reverse sweep needs and
would lose, values and versions of memory alike.

A value of a loop body or a branch is not there any more when the mirrored block of the reverse
sweep asks for it. It is, in this order: the loop's variable; a carried value that the loop only
permutes (`u, w = w, u`: the swap is run backwards); computed again from what is there, when that is
cheap; stored in memory for good; pushed. A load may be repeated when nothing writes there
afterwards ("final"), or when every write to its region keeps what it overwrites ("restored"); the
cheaper of the two is chosen for each region.
"""

from __future__ import annotations

from autodiff.core import WHOLE, Block, Function, Move, Pop, Push, Try, Value, While, within
from autodiff.core.operation import Apply, For, Load, LoadOuter, Loop, Operation, Store, View
from autodiff.dataflow.settle import mapped
from autodiff.emit.naming import hint
from autodiff.primitives.containing import is_container, key_of
from autodiff.reversal.mirrored import first
from autodiff.reversal.moved import move
from autodiff.reversal.needs import Needs, position
from autodiff.reversal.prices import PYTHON, Prices
from autodiff.reversal.repeats import dear
from autodiff.reversal.undone import joined, mark_cut, moment, outlives, place_of_push


class Placing:
    """Puts a plan into effect."""

    def __init__(self, needs: Needs) -> None:
        self.needs, self.function, self.body = needs, needs.function, needs.body
        self.mirrors = needs.mirrors
        self.maps: dict[Block, dict[Value, Value]] = {}
        self.asked: dict[Loop, dict[Value, Value]] = {}
        self.pushed: set[Value] = set()

    def place(self) -> None:
        """Everything."""
        needs = self.needs
        for region in [r for r in needs.writes if r in needs.restored]:
            for write in needs.writes[region]:
                assert isinstance(write, Store)
                self.keep(write)
        self.function.boundary = sum(not op.reverse for op in self.body.operations)
        needs.reverse = self.body.operations[self.function.boundary :]
        pushed = dear(needs, needs.needs(), needs.plan())
        self.pushed = set(pushed)
        behind = followed(needs, pushed)
        for forward, reverse in self.mirrors.items():
            self.maps[forward] = found = {}
            if isinstance(forward.parent, For):
                assert isinstance(reverse.parent, For)
                found[forward.parent.variable] = reverse.parent.variable
            mine = sorted((v for v in pushed if v.block is forward), key=position)
            found.update({v: joined(self.body, v) for v in mine if outlives(self.function, v)})
            mine = [v for v in mine if v not in found]
            if mine:
                self.push(forward, reverse, mine, pushed, found)
        for value, (loop, j) in behind.items():
            self.follow(value, loop, j)
        self.resolve(self.body, self.function.boundary)
        mark_cut(self.body)

    def push(
        self,
        forward: Block,
        reverse: Block,
        mine: list[Value],
        pushed: dict[Value, None],
        found: dict[Value, Value],
    ) -> None:
        """What one iteration or branch leaves: one push, above what nested blocks push."""
        start = first(forward.parent) if isinstance(forward.parent, While) else 0
        made, held = {value.op for value in mine}, {value.block for value in pushed}
        last = next((op for op in reversed(forward.operations) if op in made), None)
        passed = last is None
        for op in forward.operations:
            passed = passed or op is last
            nested = (inner for block in op.blocks for inner in block.blocks())
            if passed and any(inner in held for inner in nested):
                last = op
        if isinstance(forward.parent, Try):
            last = place_of_push(forward, last)
        push = Push(list(mine), [], mine[-1].op.origin if mine[-1].op else None)
        push.block = forward
        at = forward.operations.index(last) + 1 if last else 0
        forward.operations.insert(max(at, start), push)
        pop = Pop([], [Value(hint(v), v.kind, v.memory, named=True) for v in mine])
        pop.block, pop.reverse, pop.push = reverse, True, push
        for v in pop.results:
            v.block = reverse
        reverse.operations.insert(0, pop)
        found.update(zip(mine, pop.results))

    def follow(self, value: Value, loop: Loop, j: int) -> None:
        """What an iteration leaves is what the next begins with: it is there in reverse."""
        reverse, found = self.needs.loops[loop], self.maps[loop.body]
        before = loop.carried[j]
        entering, left = (Value(hint(before), value.kind, value.memory, True) for _ in range(2))
        reverse.carry(loop.results[j], entering, found[before], left)
        found[value] = entering

    def keep(self, write: Store) -> None:
        """Loads what a write overwrites; the reverse sweep puts it back before its adjoint."""
        block = write.block
        target = self.mirrors.get(block, self.body)
        window = write.window or WHOLE
        from autodiff.primitives.builder import Builder  # noqa: PLC0415

        builder, base = Builder(block, None), write.base  # type: ignore[arg-type]
        value = Value("", builder.part(base, window, write.index))
        if is_container(base.kind):
            value = builder.held_value(base, key_of(base.kind, window))
        value.hint = f"{hint(base)}_kept"
        load = Load([write.base, *write.index], [value], window, write.origin)
        value.block, load.block, load.number = block, block, write.number
        self.needs.kept.add(load)
        block.operations.insert(block.operations.index(write), load)
        back = Store([write.base, value, *write.index], [], window, write.origin)
        back.block, back.reverse, back.source = target, True, write
        for i, op in enumerate(target.operations):
            if op.reverse and op.source is not None:
                source = within(op.source, block)
                if source is not None and source.number <= write.number:
                    target.operations.insert(i, back)
                    return
        target.operations.append(back)

    def resolve(self, block: Block, start: int = 0) -> None:
        """Replaces, in the reverse sweep, what was lost by what was found."""
        k = start
        while k < len(block.operations):
            op = block.operations[k]
            for i, value in enumerate(op.operands):
                op.operands[i] = self.found(value, block, op)
            for inner in op.blocks:
                self.resolve(inner)
            if isinstance(op, Loop) and op.mirror is not None:
                self.unswap(op)
                for i, value in enumerate(op.operands):
                    op.operands[i] = self.found(value, block, op)
            while block.operations[k] is not op:  # what it needs was put in front of it
                k += 1
            k += 1
        block.results = [self.found(v, block, None) for v in block.results]

    def unswap(self, loop: Loop) -> None:
        """Runs a permutation of carried values backwards, for those that were asked for."""
        forward = loop.mirror
        assert forward is not None
        asked = self.asked.get(forward, {})
        if not asked:
            return
        moves = Move([], [], loop.origin)
        moves.block, moves.reverse = loop.body, True
        for value, back in asked.items():
            j = self.needs.permuted[value]
            other = forward.carried[j]
            entering = Value(hint(other), value.kind, value.memory, named=True)
            moves.operands.append(entering)
            moves.results.append(back)
            back.op, back.block = moves, loop.body
            result = forward.results[j]
            left = Value(hint(other), value.kind, value.memory, named=True)
            loop.carry(result, entering, asked[other], left)
            self.behind(loop, forward.inits[j], left)
        first = 1 if loop.body.operations and isinstance(loop.body.operations[0], Pop) else 0
        loop.body.operations.insert(first, moves)

    def behind(self, loop: Loop, old: Value, new: Value) -> None:
        """After the reversed loop the exchanged values are where they were before the loop."""
        operations = loop.block.operations
        for op in operations[operations.index(loop) + 1 :]:
            for inner in op.nested():
                inner.operands = [new if v is old else v for v in inner.operands]
        if loop.block is self.body:
            self.function.outputs = mapped(self.function.outputs, lambda v: new if v is old else v)

    def found(self, value: Value, block: Block, user: Operation | None) -> Value:
        """The value as the reverse sweep has it."""
        if value.is_constant or value.block not in self.mirrors:
            return value
        known = self.maps[value.block]
        if value in known:
            return known[value]
        if value in self.needs.permuted:
            loop = value.block.parent
            assert isinstance(loop, Loop)
            asked = self.asked.setdefault(loop, {})
            for p in self.needs.cycle(value):
                asked[p] = known[p] = Value(hint(p), p.kind, p.memory, named=True)
            return known[value]
        return self.again(value, block, user, known)

    def again(
        self, value: Value, block: Block, user: Operation | None, known: dict[Value, Value]
    ) -> Value:
        """The value, computed again."""
        reverse = self.mirrors[value.block]
        old = value.op
        assert old is not None
        store = self.needs.held(value, moment(user), self.pushed)
        place = user or block.parent  # a result of a block: in front of what has that
        copy: Operation
        if store is not None:
            operands = [self.found(v, block, user) for v in [store.base, *store.index]]
            copy = Load(operands, [], store.window, store.origin)
        else:
            copy = self.repeated(old, [self.found(v, block, user) for v in old.operands])
            for other in reverse.operations:  # once is enough where nobody writes
                if self.same(copy, other) and not any(e.region.written for e in other.effects()):
                    if self.before(other, place, reverse):
                        known[value] = other.results[0]
                        return known[value]
        result = Value(hint(value), value.kind, value.memory, value.named)
        copy.results, copy.block, copy.reverse = [result], reverse, True
        copy.again, copy.contexts = old, old.contexts
        copy.source = user.source if user is not None else None
        copy.origin = user.origin if user is not None else copy.origin
        result.op, result.block = copy, reverse
        at = within(place, reverse)
        reverse.operations.insert(
            reverse.operations.index(at) if at is not None else len(reverse.operations), copy
        )
        known[value] = result
        return result

    def before(self, other: Operation, user: Operation | None, block: Block) -> bool:
        """Whether an operation of a block comes before a user."""
        at = within(user, block)
        return at is None or block.operations.index(other) < block.operations.index(at)

    def repeated(self, op: Operation, operands: list[Value]) -> Operation:
        """The same operation with other operands."""
        if isinstance(op, Apply):
            copy = Apply(op.primitive, op.application, op.form, operands, [], op.origin)
            copy.reads = op.reads
            return copy
        if isinstance(op, (Load, View)):
            return type(op)(operands, [], op.window, op.origin)
        assert isinstance(op, LoadOuter)
        return LoadOuter(op.path, Value("", op.result.kind), op.origin)

    def same(self, one: Operation, other: Operation) -> bool:
        """Whether two operations do the same to the same operands."""
        if type(one) is not type(other) or one.operands != other.operands or not other.results:
            return False
        if isinstance(one, Apply) and isinstance(other, Apply):
            return one.form is other.form and one.primitive is other.primitive
        if isinstance(one, (Load, View)) and isinstance(other, (Load, View)):
            return one.window == other.window
        return False


def followed(needs: Needs, pushed: dict[Value, None]) -> dict[Value, tuple[Loop, int]]:
    """The values that need not be pushed, as what the next iteration begins with is pushed.

    before: `tape.push((state, new_state))`
    after: `tape.push(state)`
    """
    found: dict[Value, tuple[Loop, int]] = {}
    for loop in needs.loops:
        if loop.block is not needs.body:
            continue
        for j, (before, value) in enumerate(zip(loop.carried, loop.body.results)):
            if before not in pushed or value not in pushed or value.block is not loop.body:
                continue
            if not value.is_written and value is not before and value not in loop.carried:
                found[value] = (loop, j)
                del pushed[value]
    return found


def record(function: Function, prices: Prices = PYTHON) -> None:
    """Plans, and then places what the reverse sweep needs."""
    needs = Needs(function, prices)
    needs.choose()
    move(needs)
    needs.number = prices.number  # once it is decided which memory is put back
    Placing(needs).place()

"""What of an iteration its adjoint code may compute again, and what is left to record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from functools import partial

import gast

from autodiff.analysis.alias import Aliases
from autodiff.analysis.constants import operands
from autodiff.analysis.exposure import upward_exposed
from autodiff.analysis.kind import Array, Scalar
from autodiff.analysis.known import Kinds
from autodiff.reverse.elements import read_back, stored_in
from autodiff.reverse.followers import followers
from autodiff.reverse.items import Block, Item, Loop, Step
from autodiff.reverse.listing import occurrences, primal_of, steps
from autodiff.reverse.states import states
from autodiff.syntax.content import content_reads
from autodiff.syntax.names import name, reads, writes
from autodiff.syntax.walk import clone, map_children, of_class, walk

_CHEAP = (gast.Add, gast.Sub, gast.Mult, gast.Div)


@dataclass(frozen=True, slots=True)
class Held:
    """Names whose values are kept as stores overwrite them, and names equal to one of those."""

    names: frozenset[str] = frozenset()
    equal: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is computed again: statements, each with the item whose adjoint code begins with it.

    recorded: the names that the adjoint code reads and that are set in the iteration. rows: arrays
    that are read as parts of others, which have to stay as they are. sums: how many arrays are
    computed.
    """

    again: list[tuple[gast.stmt, int]]
    recorded: frozenset[str]
    rows: frozenset[str] = frozenset()
    sums: int = 0

    @property
    def names(self) -> set[str]:
        return writes([statement for statement, _ in self.again])

    def carry_out(self, body: Block) -> None:
        for statement, last in self.again:
            step = _step(body[last])
            step.adjoint.insert(0, statement)
            step.undone = step.undone or not reads(statement).isdisjoint(writes(step.primal))

    def undo(self, body: Block) -> None:
        for _, last in self.again:
            step = _step(body[last])
            del step.adjoint[0]
            step.undone = False


class Body:
    """The body of a loop, and which of its names may be computed again."""

    def __init__(
        self,
        loop: Loop,
        kinds: Kinds,
        aliases: Aliases,
        total: Counter[str],
        steady: Set[str],
    ) -> None:
        self.items = loop.body
        self.kinds = kinds
        self.aliases = aliases
        self.steady = steady
        inside = occurrences(self.items)
        primal = map_children(lambda child: child, loop.primal)
        primal.body = primal_of(self.items)
        crossing = upward_exposed(primal)
        self.written = [writes(primal_of([item])) for item in self.items]
        self.defined = Counter([name for names in self.written for name in names])
        self.read = [reads(i.adjoint) if isinstance(i, Step) else set() for i in self.items]
        self.hidden: set[str] = set().union(*(_read_inside(item) for item in self.items))
        once = {n for n, k in self.defined.items() if k == 1 and inside[n] == total[n]}
        self.single = once - crossing
        wanted = set().union(self.hidden, *self.read)
        looked_at = content_reads([item.adjoint for item in self.items if isinstance(item, Step)])
        self.arrays = states(
            self.items, self.single - self.hidden, wanted, looked_at, kinds, aliases
        )

    def plan(self, taken: Set[int], kept: Held, follow: bool = False) -> Plan:
        """What to compute again if the numbers of the steps of `taken` are in their arrays.

        What is `kept` is recorded whether or not the adjoint code reads it. With `follow` also what
        is easily made of those numbers (`followers`).
        """
        held = kept.names
        free: set[str] = set()
        stored: dict[str, tuple[gast.Assign, int]] = {}
        for index, item in enumerate(self.items):
            if isinstance(item, Step) and id(item) in taken:
                if stored_in(item, self.kinds) is None:
                    free |= self.written[index] & self.single - held
                else:
                    code = read_back(item)
                    stored[code.targets[0].id] = code, index
        if follow:
            cheap = partial(_is_cheap, kinds=self.kinds)
            single, lost = self.single - self.hidden, set(self.defined) - self.steady
            free |= followers(self.items, free, single, lost, cheap, self.kinds, self.aliases)
        read = list(self.read)
        again: list[tuple[gast.stmt, int]] = []
        rows: set[str] = set()
        sums = 0
        for index in reversed(range(len(self.items))):
            target = self.candidate(index)
            last = None if target is None or target in held else _last_reader(read, target)
            if target is None or last is None:
                continue
            code = clone(_step(self.items[index]).primal[0])
            if target in kept.equal:
                code.value = name(kept.equal[target])
            is_there = target in stored and last <= stored[target][1]
            if is_there and isinstance(self.kinds.names[target], Array):
                code, last = stored[target]
                rows.add(code.value.value.id)
            elif not self.is_possible(index, last, read, free | held):
                if not is_there:
                    continue
                code, last = stored[target]
            elif target in self.arrays:
                sums += 1
            again.append((code, last))
            read[last] = read[last] | reads(code.value)
        found = writes([statement for statement, _ in again])
        recorded = set().union(held, self.hidden, *read) & set(self.defined)
        return Plan(again, frozenset(recorded - found - self.steady), frozenset(rows), sums)

    def candidate(self, index: int) -> str | None:
        """The name that an item sets, if it may be computed again."""
        item = self.items[index]
        if not isinstance(item, Step) or len(item.primal) != 1:
            return None
        statement = item.primal[0]
        target = statement.targets[0] if isinstance(statement, gast.Assign) else None
        name = target.id if isinstance(target, gast.Name) else None
        return name if name in self.single - self.hidden and name not in self.steady else None

    def is_possible(self, index: int, last: int, read: list[set[str]], free: Set[str]) -> bool:
        """Whether the statement of an item can be run again in the adjoint code of another one."""
        statement = _step(self.items[index]).primal[0]
        target = statement.targets[0].id
        operands = reads(statement.value)
        if not self.still_there(index, last, operands):
            return False
        if target in self.arrays or target in free:
            return _unchanged(self.items, index, last, operands, self.aliases)
        local = {operand for operand in operands if operand in self.kinds.local}
        return _is_cheap(statement, self.kinds) and all(
            self.is_at_hand(operand, target, read, free) for operand in local
        )

    def still_there(self, index: int, last: int, operands: set[str]) -> bool:
        """Whether no operand gets another value up to the item where it is needed.

        The adjoint code of that may run when the names that it sets are what they were before.
        """
        if not all(operands.isdisjoint(names) for names in self.written[index + 1 : last]):
            return False
        return operands.isdisjoint(self.written[last]) or index < last and self.may_undo(last)

    def may_undo(self, index: int) -> bool:
        """Whether the adjoint code of an item reads nothing of what the item sets: numbers."""
        item = self.items[index]
        if not isinstance(item, Step) or item.mutates or item.slots or item.after or item.restore:
            return False
        names = self.written[index]
        return self.read[index].isdisjoint(names) and all(
            isinstance(self.kinds.names.get(own), Scalar) for own in names
        )

    def is_at_hand(self, operand: str, target: str, read: list[set[str]], free: Set[str]) -> bool:
        """Whether the reverse sweep has the operand, whatever becomes of `target`."""
        if operand not in self.defined or operand in self.steady or operand in free:
            return True
        return operand != target and any(operand in names for names in read)


def _step(item: Item) -> Step:
    assert isinstance(item, Step)
    return item


def _is_cheap(statement: gast.Assign, kinds: Kinds) -> bool:
    value = statement.value
    if not isinstance(value, (gast.BinOp, gast.UnaryOp)):
        return False
    if isinstance(value, gast.BinOp) and not isinstance(value.op, _CHEAP):
        return False
    parts = operands(value, kinds)
    names = [node for node in parts if isinstance(node, gast.Name)]
    return all(isinstance(kinds.known(name), Scalar) for name in names) and not any(
        isinstance(node, (gast.Call, gast.Subscript, gast.Attribute)) for node in parts
    )


def _read_inside(item: Item) -> set[str]:
    """Names that the adjoint code of a nested block mentions, or may need for such.

    What the block defines, a row say, may be taken again from what is around it (`recorded`).
    """
    if isinstance(item, Step):
        return set()
    code = primal_of([item])
    primal = Counter(n.id for n in walk(code) if isinstance(n, gast.Name))
    found = {name for name, count in occurrences([item]).items() if count > primal[name]}
    assigned = of_class(code, gast.Assign)
    while True:
        more = [reads(node.value) for node in assigned if writes(node) & found]
        if found.issuperset(set().union(*more)):
            return found
        found.update(*more)


def _last_reader(read: list[set[str]], name: str) -> int | None:
    """The last item whose adjoint code reads the name."""
    return next((k for k in reversed(range(len(read))) if name in read[k]), None)


def _unchanged(body: Block, index: int, last: int, operands: set[str], aliases: Aliases) -> bool:
    """Whether no memory of an operand changes up to the item where it is needed."""
    changing = {base for step in steps(body[index + 1 : last + 1]) for base in step.mutates}
    return not any(aliases.share(base, o) for base in changing for o in operands)

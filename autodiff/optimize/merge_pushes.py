"""One tuple on the tape instead of several values."""

from __future__ import annotations

from dataclasses import dataclass

import gast

from autodiff.optimize.change import (
    PLAIN,
    Block,
    blocks,
    changed,
    is_straight,
    map_blocks,
    unchanged,
)
from autodiff.optimize.effects import Effects
from autodiff.optimize.facts import Facts
from autodiff.optimize.tape import Pair, pairs, popping, pushing, tape_name
from autodiff.syntax.names import parameters

Slots = list[gast.stmt | None]
_STAYING = PLAIN - {gast.Return}


def merge_pushes(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """Merge the pushes of a block, if their pops stand in one block, too.

    A push may move to another one of its block when what it pushes stays the same on the way, and
    a pop when the names that it restores are not used on the way. The tape is a stack: where other
    pushes stand between the two, the pops that belong to them must stay between as well.

        tape.push(x)                           tape.push((x, y))
        tape.push(y)            becomes
        ...                                    ...
        y = tape.pop()                         x, y = tape.pop()
        x = tape.pop()
    """
    found = pairs(tree)
    if len(found) < 2:
        return tree
    return _MergePushes(facts, tree, found).function(tree)


@dataclass(slots=True)
class _Place:
    """Where a statement stands now: a block and a position in it."""

    slots: Slots
    position: int

    @property
    def block(self) -> int:
        return id(self.slots)


class _MergePushes:
    def __init__(self, facts: Facts, tree: gast.FunctionDef, found: dict[str, Pair]) -> None:
        self.facts = facts
        self.pairs = found
        self.local = set(parameters(tree.args))
        self.slots: dict[int, Slots] = {}
        """By the `id` of a block that holds tape operations: its statements, brought up to date."""
        self.pushes: dict[str, _Place] = {}
        self.pops: dict[str, _Place] = {}
        self.collect(tree.body)

    def collect(self, block: Block) -> None:
        slots: Slots = list(block)
        for position, node in enumerate(block):
            self.local |= self.facts.effects[node].writes
            if "site" not in node.__dict__ and node.__class__ in PLAIN:
                continue
            pair = self.pairs.get(getattr(node, "site", None) or "")
            if pair is not None and (node is pair.push or node is pair.pop):
                places = self.pushes if node is pair.push else self.pops
                places[node.site] = _Place(slots, position)
                self.slots[id(block)] = slots
            elif is_straight(node):
                for inner in blocks(node):
                    self.collect(inner)

    def function(self, tree: gast.FunctionDef) -> gast.FunctionDef:
        by_block: dict[int, list[str]] = {}
        for site, place in self.pushes.items():
            by_block.setdefault(place.block, []).append(site)
        merged = False
        for sites in by_block.values():
            for number, site in enumerate(sites):
                for earlier in reversed(sites[:number]):
                    if earlier in self.pairs and self.merge(earlier, site):
                        merged = True
                        break
        if not merged:
            return tree
        result: gast.FunctionDef = changed(tree, body=self.rebuilt(tree.body))
        return result

    def rebuilt(self, block: Block) -> Block:
        known = self.slots.get(id(block), block)
        new = [map_blocks(self.rebuilt, node) for node in known if node is not None]
        if unchanged(new, block):
            return block
        return new

    def merge(self, first: str, second: str) -> bool:
        """Merge two pairs, `first` the one that is pushed first; whether that was possible."""
        one, two = self.pairs[first], self.pairs[second]
        push_one, push_two = sorted(
            (self.pushes[first], self.pushes[second]), key=lambda place: place.position
        )
        if push_one is not self.pushes[first]:
            first, second, one, two = second, first, two, one
        pop_one, pop_two = self.pops[first], self.pops[second]
        if pop_one.block != pop_two.block or pop_two.position > pop_one.position:
            return False
        if len({tape_name(s) for s in (one.push, two.push)}) > 1:
            return False
        if len({tape_name(s) for s in (one.pop, two.pop)}) > 1:
            return False
        names = [_names(targets) for targets in (one.targets, two.targets)]
        if names[0] is None or names[1] is None or not names[0].isdisjoint(names[1]):
            return False

        between = self.between(push_one, push_two)
        mirrored = self.between(pop_two, pop_one)
        if between is None or mirrored is None:
            return False
        stacked = any(known.tapes for known in (*between, *mirrored))
        late = self.stay(one.values, between)
        early = self.stay(two.values, between)
        soon = _unused(names[0], mirrored)
        last = _unused(names[1], mirrored)
        if stacked:
            late, early = late and soon, early and last
            soon, last = late, early and not late
        if not (late or early) or not (soon or last):
            return False
        self.join(first, second, late, soon)
        return True

    def join(self, first: str, second: str, late: bool, soon: bool) -> None:
        """Put both pushes where the second (`late`) or the first was, both pops where ..."""
        one, two = self.pairs.pop(first), self.pairs.pop(second)
        values, targets = [*one.values, *two.values], [*one.targets, *two.targets]
        push = pushing(two.push if late else one.push, values)
        pop = popping(two.pop if soon else one.pop, targets)
        push, pop = changed(push, site=first), changed(pop, site=first)
        self.pairs[first] = Pair(push, pop, values, targets)
        self.pushes[first] = self.settle(self.pushes, first, second, late, push)
        self.pops[first] = self.settle(self.pops, first, second, soon, pop)

    def settle(
        self, places: dict[str, _Place], first: str, second: str, at_second: bool, node: gast.stmt
    ) -> _Place:
        kept, left = places[first], places.pop(second)
        if at_second:
            kept, left = left, kept
        kept.slots[kept.position] = node
        left.slots[left.position] = None
        return kept

    def between(self, start: _Place, end: _Place) -> list[Effects] | None:
        """The effects of what stands between two places; None if a jump does."""
        nodes = [n for n in start.slots[start.position + 1 : end.position] if n is not None]
        if any(_jumps(node) for node in nodes if node.__class__ not in _STAYING):
            return None
        return [self.facts.effects[node] for node in nodes]

    def stay(self, values: list[gast.expr], passed: list[Effects]) -> bool:
        """Whether values are the same before and after some statements.

        A bare name is a reference: it only matters whether the name is assigned.
        """
        for value in values:
            known = self.facts.effects[value]
            if known.writes or known.calls:
                return False
            if isinstance(value, gast.Name):
                if any(value.id in other.writes for other in passed):
                    return False
            elif not all(known.commutes(other, self.local) for other in passed):
                return False
        return True


def _names(targets: list[gast.expr]) -> set[str] | None:
    """The names that a pop restores; None if it restores memory."""
    if all(isinstance(target, gast.Name) for target in targets):
        return {target.id for target in targets}
    return None


def _unused(names: set[str], passed: list[Effects]) -> bool:
    return all(names.isdisjoint(known.loads) and names.isdisjoint(known.writes) for known in passed)


def _jumps(node: gast.stmt) -> bool:
    """Whether control may leave the block at a statement."""
    if isinstance(node, (gast.Break, gast.Continue, gast.Return, gast.Raise)):
        return True
    if isinstance(node, (gast.FunctionDef, gast.ClassDef)):
        return False
    return any(_jumps(inner) for block in blocks(node) for inner in block)

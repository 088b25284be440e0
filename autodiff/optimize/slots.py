"""What is taken from a slot of an adjoint buffer is not copied where it may stay there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gast

from autodiff.optimize.change import Block, changed, map_blocks, unchanged
from autodiff.optimize.counter import counter
from autodiff.optimize.effects import effects, is_generated
from autodiff.optimize.facts import Facts
from autodiff.optimize.ownership import own_buffers, passing
from autodiff.optimize.sections import reverse_sweep
from autodiff.syntax.disjoint import disjoint
from autodiff.syntax.names import reads, writes
from autodiff.syntax.walk import of_class, same
from autodiff.syntax.windows import root

_SIMPLE = (gast.Assign, gast.AugAssign)


def slots(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """Set a slot to zero when its value is no longer needed, or leave it as it is.

        t = p_bar[0].copy()                        t = p_bar[0]
        p_bar[0] = 0.0           becomes           p_bar[1] += t
        p_bar[1] += t                              p_bar[0] = 0.0

    A slot to which all that was taken is added again keeps it; one that is set to zero and then
    gets a value is set to that value. Of one that keeps its value nothing is copied, either. And
    nobody sets a slot to zero of a buffer that is given up.
    """
    if not of_class(tree, gast.Subscript):
        return tree
    moving = _Slots(tree, facts)
    start = reverse_sweep(tree.body)
    ahead, back = tree.body[:start], moving.block(tree.body[start:])
    ahead = [
        map_blocks(moving.block, node) if is_generated(node, facts) else node for node in ahead
    ]
    body = [*ahead, *back]
    if unchanged(body, tree.body):
        return tree
    result: gast.FunctionDef = changed(tree, body=body)
    return result


class _Slots:
    def __init__(self, tree: gast.FunctionDef, facts: Facts) -> None:
        self.tree = tree
        self.facts = facts
        self.own: frozenset[str] | None = None
        self.dropped: set[str] = set()
        self.least = dict(facts.least)
        """The sizes, and the counters of the loops around, each with its smallest value."""

    def inside(self, node: gast.stmt) -> gast.stmt:
        """The statement with the blocks in it."""
        own = counter(node)
        outside = self.least
        if own is not None:
            self.least = {**outside, own.name: own.least}
        result: gast.stmt = map_blocks(self.block, node)
        self.least = outside
        return result

    def block(self, statements: Block) -> Block:
        new = [self.inside(node) for node in statements]
        place = 0
        while place < len(new):
            slot = _zeroed(new[place])
            if slot is not None and self.is_own(slot):
                found = self.settled(new, place, slot)
                if found is not None:
                    new = found
                    continue
            elif slot is None:
                new = self.looked_at(new, place)
            place += 1
        return statements if unchanged(new, statements) else new

    def is_own(self, slot: gast.Subscript) -> bool:
        if self.own is None:
            self.own = own_buffers(self.tree, self.facts)
        if slot.value.id not in self.own or self.facts.shape(slot.value) is None:
            return False
        if isinstance(slot.slice, gast.Name) and self.facts.picks(slot):
            return True
        parts = of_class(slot.slice, gast.Name)
        return all(map(self.facts.scalar, parts))

    def looked_at(self, block: Block, place: int) -> Block:
        """With a view for a copy that is read only as long as the slot stays as it is."""
        slot = _taken(block[place], self.facts)
        if slot is None or not self.is_own(slot):
            return block
        if place + 1 < len(block) and _zeroed(block[place + 1]) is not None:
            return block  # that is looked at next
        taken = str(block[place].targets[0].id)
        return block if self.calm(block, place + 1, slot, taken) is None else _viewed(block, place)

    def settled(self, block: Block, place: int, slot: gast.Subscript) -> Block | None:
        """The block in which the slot is not, or not yet, set to zero at `place`."""
        if self.is_given_up(block, place, slot.value.id):
            found = [*block[:place], *block[place + 1 :]]
            return self.looked_at(found, place - 1) if place else found
        taken = self.copied(block[place - 1], slot) if place else None
        if taken is not None:
            kept = self.kept(block, place, slot, taken)
            if self.facts.picks(slot):
                return kept or self.assigned(block, place, slot)
            if kept is None:
                return self.later(block, place, slot, taken)
            end = self.calm(kept, place, slot, taken)
            return kept if end is None else _viewed(kept, place - 1)
        return self.assigned(block, place, slot)

    def is_given_up(self, block: Block, place: int, base: str) -> bool:
        """Whether the name of a buffer gets another value before anyone looks at the buffer."""
        for node in block[place + 1 :]:
            if effects(node, self.facts).calls:
                return False
            if _count(node, base):
                return _is_given(node, base)
        return False

    def copied(self, node: gast.stmt, slot: gast.Subscript) -> str | None:
        """The name of `t = x_bar[i].copy()`, or of `t = x_bar[i]` with an index array i."""
        if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name):
            return None
        call = node.value
        if isinstance(call, gast.Subscript):
            is_copy = self.facts.picks(call) and _is_same(call, slot)
            return str(node.targets[0].id) if is_copy else None
        if not isinstance(call, gast.Call) or not isinstance(call.func, gast.Attribute):
            return None
        if call.func.attr != "copy" or call.args or not _is_same(call.func.value, slot):
            return None
        return str(node.targets[0].id)

    def kept(self, block: Block, place: int, slot: gast.Subscript, taken: str) -> Block | None:
        """Without `x_bar[i] = 0.0` and `x_bar[i] += t`, if all between only adds to `x_bar`."""
        base = slot.value.id
        for index in range(place + 1, len(block)):
            node = block[index]
            if not self.is_calm(node, slot, taken):
                return None
            if _adds_to(node, slot) and isinstance(node.op, gast.Add) and _is(node.value, taken):
                self.dropped.add(taken)
                return [*block[:place], *block[place + 1 : index], *block[index + 1 :]]
            if _count(node, base) > (root(_target(node)) == base and _accumulates(node)):
                return None
        return None

    def later(self, block: Block, place: int, slot: gast.Subscript, taken: str) -> Block | None:
        """With `x_bar[i] = 0.0` after the last use of what was taken, which is not copied.

        Where the name means another buffer by then, nobody can see the slot any more.
        """
        end = self.calm(block, place + 1, slot, taken)
        if end is None:
            return None
        between = block[place + 1 : end]
        lost = any(_is_given(node, slot.value.id) for node in between)
        zeroed = [] if lost else [block[place]]
        return _viewed([*block[:place], *between, *zeroed, *block[end:]], place - 1)

    def calm(self, block: Block, place: int, slot: gast.Subscript, taken: str) -> int | None:
        """Where the uses of what was taken end, if it may be a view of the slot until then."""
        uses = [k for k in range(place, len(block)) if _count(block[k], taken)]
        count = sum(_count(n, taken) for n in block) + len(self.dropped & {taken})
        if not uses or count != _count(self.tree, taken):
            return None
        is_there = True  # after that nobody else can come to the memory
        for node in block[place : uses[-1] + 1]:
            is_there = is_there and not _is_given(node, slot.value.id)
            still = slot if is_there else None
            if not self.is_calm(node, still, taken) or taken in self.handed_on(node):
                return None
            if is_there and not _is_apart(node, slot, self.least):
                return None
        return uses[-1] + 1

    def assigned(self, block: Block, place: int, slot: gast.Subscript) -> Block | None:
        """With `x_bar[i] = e` for `x_bar[i] = 0.0` and `x_bar[i] += e`."""
        base = slot.value.id
        for index in range(place + 1, len(block)):
            node = block[index]
            if not self.is_calm(node, slot, base):
                return None
            if _adds_to(node, slot) and _count(node, base) == 1:
                value = node.value
                if isinstance(node.op, gast.Sub):
                    value = gast.UnaryOp(op=gast.USub(), operand=value)
                new = changed(block[place], value=value, origin=getattr(node, "origin", None))
                return [*block[:place], *block[place + 1 : index], new, *block[index + 1 :]]
            if not _is_apart(node, slot, self.least):
                return None
        return None

    def is_calm(self, node: gast.stmt, slot: gast.Subscript | None, taken: str) -> bool:
        """Whether a statement is simple, and leaves alone the index and what was taken."""
        if not isinstance(node, _SIMPLE) or effects(node, self.facts).calls:
            return False
        if isinstance(node, gast.Assign) and root(_target(node)) is None:
            return False
        if slot is None:
            return root(_target(node)) != taken and taken not in writes(node)
        if self.facts.picks(slot) and not self.is_own_store(node):
            return False  # the index array may have another name
        used = {*reads(slot.slice), taken} - {slot.value.id}
        return root(_target(node)) not in used and not writes(node) & {*used, slot.value.id}

    def is_own_store(self, node: gast.stmt) -> bool:
        """Whether a statement sets a name, or stores to memory that has one name only."""
        target = _target(node)
        if isinstance(target, gast.Name) and isinstance(node, gast.Assign):
            return True
        return root(target) in (self.own or ())

    def handed_on(self, node: gast.stmt) -> set[str]:
        """Names whose memory has another name after a statement."""
        target = _target(node)
        if isinstance(node, gast.AugAssign):
            return set()
        if isinstance(target, gast.Subscript) and self.facts.shape(target.value) is not None:
            return set()
        return passing(node.value, self.facts)


def _viewed(block: Block, place: int) -> Block:
    """The block with `t = x_bar[i]` for `t = x_bar[i].copy()` at a place."""
    copy = block[place]
    return [*block[:place], changed(copy, value=copy.value.func.value), *block[place + 1 :]]


def _zeroed(node: gast.stmt) -> gast.Subscript | None:
    """The slot of `x_bar[i] = 0.0`."""
    if not isinstance(node, gast.Assign) or not isinstance(node.value, gast.Constant):
        return None
    target = node.targets[0]
    if not isinstance(target, gast.Subscript) or not isinstance(target.value, gast.Name):
        return None
    return target if type(node.value.value) is float and node.value.value == 0 else None


def _taken(node: gast.stmt, facts: Facts) -> gast.Subscript | None:
    """The slot of `t = x_bar[i].copy()`, or of `t = unbroadcast(x_bar[i], y).copy()`."""
    if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name):
        return None
    call = node.value
    if not isinstance(call, gast.Call) or not isinstance(call.func, gast.Attribute):
        return None
    slot = call.func.value
    if call.func.attr != "copy" or call.args or call.keywords:
        return None
    if isinstance(slot, gast.Call) and slot.args and facts.fits(slot):
        slot = slot.args[0]
    return slot if isinstance(slot, gast.Subscript) and _is_named(slot.value) else None


def _is_named(node: gast.expr) -> bool:
    return isinstance(node, gast.Name)


def _is_given(node: gast.stmt, base: str) -> bool:
    """Whether a statement is `x_bar = ...`, and asks for nothing of what x_bar was."""
    return (
        isinstance(node, gast.Assign)
        and isinstance(node.targets[0], gast.Name)
        and node.targets[0].id == base
        and _count(node, base) == 1
    )


def _adds_to(node: gast.stmt, slot: gast.Subscript) -> bool:
    return _accumulates(node) and _is_same(node.target, slot)


def _accumulates(node: gast.stmt) -> bool:
    return isinstance(node, gast.AugAssign) and isinstance(node.op, (gast.Add, gast.Sub))


def _is_same(node: gast.expr, slot: gast.Subscript) -> bool:
    return (
        isinstance(node, gast.Subscript)
        and _is(node.value, slot.value.id)
        and same(node.slice, slot.slice)
    )


def _is(node: gast.expr, identifier: str) -> bool:
    return isinstance(node, gast.Name) and node.id == identifier


def _target(node: Any) -> Any:
    return node.target if isinstance(node, gast.AugAssign) else node.targets[0]


def _count(node: gast.AST, identifier: str) -> int:
    return [part.id for part in of_class(node, gast.Name)].count(identifier)


def _is_apart(node: gast.stmt, slot: gast.Subscript, least: Mapping[str, int]) -> bool:
    """Whether all that a statement says of the buffer is about other elements."""
    base = slot.value.id
    mentioned = [part for part in of_class(node, gast.Subscript) if _is(part.value, base)]
    return len(mentioned) == _count(node, base) and all(
        disjoint(part.slice, slot.slice, least) for part in mentioned
    )

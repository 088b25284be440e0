"""A loop whose iterations hand nothing on runs forward and back one iteration at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

import gast

from autodiff.analysis.exposure import Exposure, counters
from autodiff.optimize.change import Block, blocks, changed, filled, map_blocks, unchanged
from autodiff.optimize.counter import counter
from autodiff.optimize.effects import effects, of_block
from autodiff.optimize.facts import Facts
from autodiff.optimize.ownership import own_buffers
from autodiff.optimize.tape import Pair, is_pop, is_push, pairs, popping, pushing, tape_name
from autodiff.syntax.names import all_names, reads, store, writes
from autodiff.syntax.walk import children, of_class, same, statements
from autodiff.syntax.windows import root

_SUMS = (gast.Add, gast.Sub)


def independent(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """Join the two sweeps of a loop where each iteration needs no more than what it records itself.

        for i in range(n):
            d = x[i] - y[i]                         for i in range(n):
            tape.push(d)                                d = x[i] - y[i]
        ...                         becomes             x_bar[i] += 2 * d
        for i in reversed(range(n)):
            d = tape.pop()
            x_bar[i] += 2 * d

    So it is with sums over observations. Nothing that the forward loop reads changes until the
    reverse loop has run, which needs nothing but what was recorded, and the iterations of which do
    nothing together but add up; what asks for what the forward loop hands on, a sum, waits. Its
    iterations keep their order, so the value stays the very same. Tapenade does this where the
    user says that the iterations are independent (`II-LOOP`); here it is seen.
    """
    if not any(is_push(node) for node in statements(tree)):
        return tree
    waiting = [tree.body]
    for block in waiting:
        for place, back in enumerate(block):
            waiting.extend(blocks(back))
            new = _joined(tree, block, place, facts) if isinstance(back, gast.For) else None
            if new is not None:
                return independent(_with(tree, block, new), facts)
    return tree


def _with(tree: gast.FunctionDef, old: Block, new: Block) -> gast.FunctionDef:
    """The function with another block, without a tape that nobody uses any more."""

    def put(body: Block) -> Block:
        result = [map_blocks(put, node) for node in body]
        return new if body is old else body if unchanged(result, body) else result

    body = put(tree.body)
    left = _mentions(body)
    tapes = {tape_name(node) for node in statements(old) if is_push(node)}
    idle = {tape for tape in tapes if left[tape] == 1}  # where it is made
    body = [node for node in body if not (isinstance(node, gast.Assign) and writes(node) & idle)]
    result: gast.FunctionDef = changed(tree, body=body)
    return result


def _joined(tree: gast.FunctionDef, block: Block, place: int, facts: Facts) -> Block | None:
    """The block in which the reverse loop at a place runs forward as well."""
    back = block[place]
    popped = {node.site for node in statements(back.body) if is_pop(node)}
    if not popped or back.orelse:
        return None
    for first in range(place):
        ahead = block[first]
        if isinstance(ahead, gast.For) and popped == _pushed(ahead):
            break
    else:
        return None
    if ahead.orelse or not same(ahead.target, back.target) or not _reverses(back.iter, ahead.iter):
        return None
    if len({tape_name(s) for s in statements([ahead, back]) if is_push(s) or is_pop(s)}) != 1:
        return None
    sweeps = _Sweeps(tree, ahead, back, block[first + 1 : place], facts)
    found = pairs(tree)
    if not sweeps.are_apart() or not popped <= found.keys():
        return None
    body = _one_by_one(ahead, back, [found[site] for site in sorted(popped)])
    loop = changed(back, iter=ahead.iter, body=filled(body))
    late = map(_marked, sweeps.late)
    return [*block[:first], *sweeps.between, loop, *late, *block[place + 1 :]]


def _pushed(loop: gast.For) -> set[str]:
    return {node.site for node in statements(loop.body) if is_push(node)}


def _reverses(back: gast.expr, ahead: gast.expr) -> bool:
    """Whether the header of a loop is `reversed(range(...))` of that of the other."""
    return (
        _is_call(ahead, "range")
        and _is_call(back, "reversed")
        and len(back.args) == 1
        and same(back.args[0], ahead)
    )


def _is_call(node: gast.expr, function: str) -> bool:
    return (
        isinstance(node, gast.Call)
        and isinstance(node.func, gast.Name)
        and node.func.id == function
    )


class _Sweeps:
    """A loop, the one that reverses it, and what lies between them.

    late: what of that waits for what the first loop hands on, a sum; `between`: the rest.
    passed: for each statement of `late` what it comes behind, where it may wait.
    """

    def __init__(
        self,
        tree: gast.FunctionDef,
        ahead: gast.For,
        back: gast.For,
        between: Block,
        facts: Facts,
    ) -> None:
        self.tree = tree
        self.ahead = ahead
        self.back = back
        self.facts = facts
        self.set = writes(ahead.body)
        exposed, _ = Exposure().iteration(ahead)
        inside, everywhere = _mentions([ahead, back]), _mentions([tree])
        handed = {n for n in self.set if n in exposed or everywhere[n] > inside[n]}
        self.handed = frozenset(handed)
        self.between: Block = []
        self.late: Block = []
        self.passed: list[Block] = []
        for place, node in enumerate(between):
            if handed.isdisjoint(_names(node)):
                self.between.append(node)
            else:
                self.late.append(node)
                self.passed.append(between[place + 1 :])
                handed |= writes(node)

    @cached_property
    def own(self) -> frozenset[str]:
        """Names of memory that is reached by no other name: few loops get as far as that."""
        return own_buffers(self.tree, self.facts)

    def are_apart(self) -> bool:
        """Whether the iterations of the first loop may run one by one within those of the other."""
        later = [*self.between, self.back]
        if not self.handed.isdisjoint(_names(later)):  # of most loops
            return False
        ahead, after = effects(self.ahead, self.facts), of_block(later, self.facts)
        if ahead.calls or ahead.stores or after.calls:
            return False
        turn = self.ahead.target.id
        if turn in self.set or turn not in counters(self.tree):
            return False
        free = set(ahead.loads) - self.set - {turn}
        if not free.isdisjoint(after.writes):
            return False
        stored = _stored(later, self.facts)
        if stored is None or stored and not stored <= self.own - free:
            return False
        return self.may_wait(stored) and self.only_adds()

    def may_wait(self, stored: set[str]) -> bool:
        """Whether what waits for the first loop gives the same behind the second one."""
        for node, passed in zip(self.late, self.passed):
            known = effects(node, self.facts)
            if not isinstance(node, gast.Assign) or known.calls or known.stores or known.tapes:
                return False
            early = [other for other in [*passed, self.back] if other not in self.late]
            if not known.writes.isdisjoint(_names(early)):
                return False
            if not {*of_block(early, self.facts).writes, *stored}.isdisjoint(known.loads):
                return False
        return True

    def only_adds(self) -> bool:
        """Whether an iteration of the reverse loop leaves nothing to others but sums.

        A name of the forward sweep that it does not set has the same value in all iterations.
        """
        back = self.back.body
        body = [*self.ahead.body, *back]
        exposed, _ = Exposure().iteration(changed(self.back, body=body))
        inside, everywhere = _mentions([self.ahead, self.back]), _mentions([self.tree])
        bound = writes(back)
        left = {n for n in bound if n in exposed or everywhere[n] > inside[n]}
        sums = Counter(root(node.target) for node in _additions(back))
        mentions = _mentions(back)
        stored = _stored(back, self.facts) or set()
        return all(
            mentions[each] == sums[each] or self.is_split(each, mentions[each])
            for each in left | stored
        )

    def is_split(self, buffer: str, mentions: int) -> bool:
        """Whether each iteration has elements of an array for itself, by its counter: `x[i, 0]`."""
        own = counter(self.back)
        windows = [
            node for node in of_class(self.back.body, gast.Subscript)
            if isinstance(node.value, gast.Name) and node.value.id == buffer
        ]
        if own is None or own.least < 0 or len(windows) < mentions:
            return False
        axes = [_axes(window.slice, own.name, self.facts) for window in windows]
        return bool(set.intersection(*axes))


def _axes(index: gast.expr, identifier: str, facts: Facts) -> set[int]:
    """The axes along which an index is just the name."""
    found = set()
    for axis, part in enumerate(index.elts if isinstance(index, gast.Tuple) else [index]):
        if isinstance(part, gast.Name) and part.id == identifier:
            found.add(axis)
        elif not isinstance(part, gast.Slice) and not facts.scalar(part):
            break  # of a mask or of `...` nobody knows how many axes it is for
    return found


def _additions(block: Block) -> Iterator[gast.AugAssign]:
    """The statements `x += e` and `x[i] -= e` of a block, at any depth."""
    for node in statements(block):
        if isinstance(node, gast.AugAssign) and isinstance(node.op, _SUMS):
            yield node


def _stored(block: Block, facts: Facts) -> set[str] | None:
    """The names of arrays that a block stores to; None if it may store to something else."""
    found: set[str] = set()
    for node in statements(block):
        if isinstance(node, (gast.For, gast.While, gast.If)):
            header = [node.iter] if isinstance(node, gast.For) else [node.test]
            if of_block(header, facts).stores:
                return None
            continue
        if not effects(node, facts).stores:
            continue
        if not isinstance(node, (gast.Assign, gast.AugAssign)) or effects(node.value, facts).stores:
            return None
        targets = node.targets if isinstance(node, gast.Assign) else [node.target]
        for target in targets:
            base = root(target)
            if base is None or isinstance(target, gast.Attribute):
                return None
            found.add(base)
    return found


def _names(nodes: Any) -> set[str]:
    return {node.id for node in of_class(nodes, gast.Name)}


def _mentions(nodes: Any) -> Counter[str]:
    return Counter([node.id for node in of_class(nodes, gast.Name)])


def _one_by_one(ahead: gast.For, back: gast.For, found: Iterable[Pair]) -> Block:
    """An iteration forward and back, in which names that still hold what was pushed are read."""
    front, rear = list(_in_order(ahead.body)), list(_in_order(back.body))
    inner = {id(s) for loop in (front, rear) for s in _in_loops(loop)}
    new: dict[int, Block] = {}
    for pair in found:
        if id(pair.push) in inner or id(pair.pop) in inner:
            continue
        _, after = _split(front, pair.push)
        begun, _ = _split(rear, pair.pop)
        kept = []
        assigned: Block = []
        for value, target in zip(pair.values, pair.targets):
            if not isinstance(target, gast.Name) or target.id in _bound(begun):
                kept.append((value, target))
            elif isinstance(value, gast.Name) and value.id == target.id:
                if target.id in _bound(after):
                    kept.append((value, target))
            elif target.id in all_names(ahead) or target.id in _mentions(begun):
                kept.append((value, target))
            else:
                origin = getattr(pair.push, "origin", None)
                own = gast.Assign(targets=[store(target.id)], value=value)
                own.origin = origin
                assigned.append(own)
        values, targets = [v for v, _ in kept], [t for _, t in kept]
        new[id(pair.push)] = [*assigned, *([pushing(pair.push, values)] if kept else [])]
        new[id(pair.pop)] = [popping(pair.pop, targets)] if kept else []

    def block(body: Block) -> Block:
        return [part for node in body for part in new.get(id(node), [map_blocks(block, node)])]

    return [*map(_marked, block(ahead.body)), *_without_repeats(block(back.body), ahead.body)]


def _marked(node: gast.stmt) -> gast.stmt:
    """The statement as one of the forward sweep, which is no adjoint of a statement's."""
    inner: gast.stmt = map_blocks(lambda body: [_marked(part) for part in body], node)
    result: gast.stmt = changed(inner, forward=True)
    return result


def _in_order(body: Block) -> Iterator[gast.stmt]:
    """The statements of a block at any depth, in the order of the text."""
    for node in body:
        yield node
        for inner in blocks(node):
            yield from _in_order(inner)


def _in_loops(body: Iterable[gast.stmt]) -> Iterator[gast.stmt]:
    for node in body:
        if isinstance(node, (gast.For, gast.While)):
            yield from _in_order(node.body)


def _split(body: Block, at: gast.stmt) -> tuple[Block, Block]:
    place = next(k for k, node in enumerate(body) if node is at)
    return body[:place], body[place + 1 :]


def _bound(body: Block) -> set[str]:
    """The names that statements, each without the blocks in it, bind."""
    found: set[str] = set()
    for node in body:
        header = [part for part in children(node) if not isinstance(part, gast.stmt)]
        found |= writes(header) if blocks(node) else writes(node)
    return found


def _without_repeats(back: Block, ahead: Block) -> Block:
    """Without what is computed again just as it was: the names have their values."""
    found: Block = []
    bound: set[str] = set()
    for node in back:
        if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name):
            target = node.targets[0].id
            if target not in bound and _is_there(node, ahead, bound):
                continue
        bound |= writes(node)
        found.append(node)
    return found


def _is_there(node: gast.Assign, ahead: Block, bound: set[str]) -> bool:
    """Whether a name still holds, after a block, what a statement would set it to."""
    used = {node.targets[0].id, *reads(node.value)}
    for place in range(len(ahead) - 1, -1, -1):
        other = ahead[place]
        if isinstance(other, gast.Assign) and len(other.targets) == 1:
            if same(other.targets[0], node.targets[0]) and same(other.value, node.value):
                return used.isdisjoint(bound)
        if not used.isdisjoint(writes(other)):
            return False
    return False

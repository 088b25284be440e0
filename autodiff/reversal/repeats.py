"""What it costs to have a value again: an entry on the tape, or the operations that give it; and
what is pushed in place of several values that are computed from it.

Arrays are kept where they cannot be had otherwise: an entry costs memory, an operation on an array
what it cost before. A number is an entry of a tuple, and operations on numbers are as dear as that:
one is done again, several are not.

before: reverse `dx = p[j, 0] - p[i, 0]`, `dy = p[j, 1] - p[i, 1]`, `d2 = dx * dx + dy * dy`
after: forward `tape.push((dx, dy, d2))`
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from autodiff.core import (
    NOWHERE,
    Apply,
    At,
    Block,
    Load,
    Operation,
    Store,
    Try,
    Value,
    around,
    depth,
    users,
)
from autodiff.kinds.kind import Array, Scalar

if TYPE_CHECKING:
    from autodiff.reversal.needs import Needs

Need = tuple[Value, Operation | None, Operation | None]
"""A value, the operation whose adjoint uses it, and the user."""


def entries(
    needs: Needs, pushed: Iterable[Value], beside: Iterable[Block] = (), number: float = 1.0
) -> float:
    """What pushes cost; number: what one costs that is an entry beside others. beside: the blocks
    of further numbers that are pushed. One number alone makes no tuple.
    """
    found = list(pushed)
    numbers = Counter(value.block for value in found if isinstance(value.kind, Scalar))
    numbers.update(beside)
    whole = sum(
        (number if isinstance(value.kind, Scalar) else entry(needs, value)) * _often(value.block)
        for value in found
    )
    pushes = needs.prices.push
    return whole + sum(
        (pushes if count > 1 else pushes / 2) * _often(block) for block, count in numbers.items()
    )


def cost(needs: Needs, found: list[Need], pushed: Iterable[Value], alone: bool = True) -> float:
    """Pushes, and what is done again, weighted by the depth of loops. alone: numbers that are kept
    make pushes of their own.
    """
    writes = [op for region in needs.restored for op in needs.writes[region]]
    beside = {op.block for op in writes if not is_place(op)}  # an array
    numbers = (op.block for op in writes if is_place(op) and alone)
    blocks = (block for block in numbers if block in needs.mirrors and block not in beside)
    kept = sum(keeping(needs, op) for op in writes)
    return kept + entries(needs, pushed, blocks) + repeated(needs, found, set(pushed))


def room(needs: Needs, pushed: Iterable[Value]) -> float:
    """How many entries there are on the tape, weighted by the depth of loops."""
    kept = [op.block for region in needs.restored for op in needs.writes[region]]
    return sum(map(_often, (*kept, *(value.block for value in pushed))))


def entry(needs: Needs, value: Value) -> float:
    """What an entry costs; that of what an array holds now, and not later, is a copy."""
    op = value.op
    if isinstance(value.kind, Scalar) or not isinstance(op, Load) or op.base.region is None:
        return 1.0
    writes = needs.writes.get(op.base.region, [])
    return needs.prices.copy if writes and all(map(is_place, writes)) else 1.0


def keeping(needs: Needs, op: Operation) -> float:
    """What it costs to keep what an operation overwrites."""
    return (needs.prices.kept if is_place(op) else 1.0) * _often(op.block)


def is_place(op: Operation) -> bool:
    """Whether an operation writes one number."""
    window = op.window if isinstance(op, Store) else None
    return window is not None and all(isinstance(part, (int, At)) for part in window.parts)


def repeated(needs: Needs, found: Iterable[Need], pushed: set[Value]) -> float:
    """What the operations cost that are done again."""
    seen: set[Operation] = set()
    return sum(
        price(needs, op) * _often(op.block)
        for value, source, _ in found
        for op in again(needs, value, source, pushed, seen)
    )


def spared(needs: Needs, found: list[Need], pushed: dict[Value, None]) -> dict[Value, None]:
    """Further pushes, of numbers that take several operations."""
    if not pushed and not is_kept(needs, found):  # perhaps nothing of the forward sweep is needed
        return pushed
    dear = needs.prices.dear if pushed else needs.prices.first
    done: set[Operation] = set()
    result = dict(pushed)
    wanted = sorted(found, key=lambda need: need[0].op.number if need[0].op is not None else -1)
    for value, source, _ in wanted:
        if value in result or not may_be_pushed(needs, value):
            continue
        new: set[Operation] = set(done)
        cost = sum(price(needs, op) for op in again(needs, value, source, set(result), new))
        if cost >= dear:
            result[value] = None
        else:
            done = new
    before, after = (
        entries(needs, kept, number=needs.number) + repeated(needs, found, set(kept))
        for kept in (pushed, result)
    )
    few = len(result) <= needs.prices.most * max(1, len(pushed))  # as they take memory
    return result if few and after < needs.prices.worth * before else pushed


def is_kept(needs: Needs, found: list[Need]) -> bool:
    """Whether somebody reads what the operation leaves that has the values, so that it stays."""
    loop = needs.around(found[0][0]) if found and math.isfinite(needs.prices.first) else None
    used = users(needs.function) if loop is not None else {}
    return loop is not None and any(value in used for value in loop.results)


def may_be_pushed(needs: Needs, value: Value) -> bool:
    """Whether a number can be kept where it is computed: not among what may raise an error."""
    block = value.block
    if value.op is None or block not in needs.mirrors or not isinstance(value.kind, Scalar):
        return False
    if value.partial or value.kind.type == "bool" or not isinstance(value.op, (Apply, Load)):
        return False
    while block.parent is not None:
        if isinstance(block.parent, Try):
            return False
        block = block.parent.block
    return True


def dear(needs: Needs, found: list[Need], pushed: dict[Value, None]) -> dict[Value, None]:
    """Further pushes, of arrays that take several operations: in each block no more than of it are
    kept anyway.
    """
    room = Counter(value.block for value in pushed if isinstance(value.kind, Array))
    taken: Counter[Block] = Counter()
    for value, source, _ in found if room else ():
        op, block = value.op, value.block
        if value in pushed or not isinstance(op, Apply) or not is_array(op) or value.is_written:
            continue
        if taken[block] < room[block] and not any(
            isinstance(own.parent, Try) for own in around(block)
        ):
            done = again(needs, value, source, set(pushed), set())
            if sum(map(is_array, done)) >= needs.prices.several:
                pushed = {**pushed, value: None}
                taken[block] += 1
    return pushed


def is_array(op: Operation) -> bool:
    """Whether an operation makes an array."""
    return isinstance(op, Apply) and op.primitive.memory == "new" and op.result.is_array


def again(
    needs: Needs, value: Value, source: Operation | None, pushed: set[Value], seen: set[Operation]
) -> Iterator[Operation]:
    """The operations that give a value that is not pushed, which are then done."""
    op = value.op
    if value.is_constant or value in pushed or value.block not in needs.mirrors:
        return
    if op is None or op in seen or value in needs.permuted or is_invariant(needs, value):
        return
    seen.add(op)
    store = needs.held(value, source, pushed)
    yield op if store is None else store
    for operand in op.operands if store is None else [store.base, *store.index]:
        yield from again(needs, operand, source, pushed, seen)


def is_invariant(needs: Needs, value: Value) -> bool:
    """Whether each iteration computes the same number: the reverse sweep does so once."""
    op = value.op
    if value.is_constant or value.block not in needs.mirrors:
        return not value.partial
    return isinstance(op, Apply) and all(is_invariant(needs, each) for each in op.operands)


def price(needs: Needs, op: Operation) -> float:
    """What an operation costs; a quotient by what no iteration changes is a product."""
    varies = (
        isinstance(op, Apply) and bool(op.operands) and not is_invariant(needs, op.operands[-1])
    )
    return needs.prices.weight(op, varies)


def _often(block: Block) -> float:
    return float(10.0 ** depth(block))


_FURTHEST = 6
"""So many operations are computed again in a row."""
_TRIED = 3
"""So many values are tried for each block."""


def fewer(needs: Needs, found: list[Need], pushed: dict[Value, None]) -> dict[Value, None]:
    """The same needs from fewer pushes.

    before: `tape.push((c * un[1:-1], un[1:-1] - un[:-2], un[2:] - 2 * un[1:-1]))`
    after: `tape.push(un)`
    """
    blocks = Counter(value.block for value in pushed)
    for block, count in blocks.items():
        if block is NOWHERE or count < 2:
            continue
        for candidate in candidates(needs, block, pushed):
            trial = reduced(needs, found, {**pushed, candidate: None}, candidate)
            if entries(needs, trial) < entries(needs, pushed):
                pushed = trial
    return pushed


def candidates(needs: Needs, block: Block, pushed: dict[Value, None]) -> list[Value]:
    """Values of a block that at least two of the pushed ones are computed from."""
    seen: Counter[Value] = Counter()
    for value in pushed:
        if value.block is block:
            seen.update(list(sources(needs, value, _FURTHEST, {})))
    shared = [value for value, count in seen.items() if count > 1 and value not in pushed]
    return sorted(shared, key=lambda value: -seen[value])[:_TRIED]


def sources(needs: Needs, value: Value, depth: int, seen: dict[Value, None]) -> dict[Value, None]:
    """The values of its block that a value is computed from by what may be done again."""
    op = value.op
    if op is None or depth == 0 or not needs.repeatable(op):
        return seen
    for operand in op.operands:
        if operand.block is value.block and operand not in seen and not operand.is_constant:
            seen[operand] = None
            sources(needs, operand, depth - 1, seen)
    return seen


def reduced(
    needs: Needs, found: list[Need], pushed: dict[Value, None], kept: Value
) -> dict[Value, None]:
    """What is left of the pushes when those go that others give."""
    result = dict(pushed)
    for value in pushed:
        if value is kept or value.block is not kept.block:
            continue
        others, known = set(result) - {value}, dict[Any, bool]()
        if all(needs.available(v, source, others, known) for v, source, _ in found):
            del result[value]
    return result

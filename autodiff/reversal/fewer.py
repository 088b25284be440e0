"""Fewer pushes: what several values are computed from is pushed in place of them."""

from __future__ import annotations

from collections import Counter

from autodiff.core.operation import Block
from autodiff.core.value import Value
from autodiff.reversal.repeats import Need, Needs, entries

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
        if block is None or count < 2:
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
    """The values of the same block that a value is computed from by operations that may be done
    again.
    """
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
        others = set(result) - {value}
        if all(needs.available(v, source, others) for v, source, _ in found):
            del result[value]
    return result

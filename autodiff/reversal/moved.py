"""Loops that leave nothing behind run in the reverse sweep alone, if that needs no tape.

before: `for i in range(n): tape.push(np.sum(a[i]))`, and as often `tape.pop()`
after: `for i in reversed(range(n)): ... np.sum(a[i])`
"""

from __future__ import annotations

from autodiff.core.operation import Apply, For, Load, Operation, View
from autodiff.reversal.needs import Needs


def move(needs: Needs) -> None:
    """Decides for which loops that is so; a pullback runs when the user may have changed things."""
    for loop in needs.loops:
        alone = loop.block is needs.body and not loop.results and needs.function.seeds is None
        if not alone or not isinstance(loop, For) or not all(map(is_plain, loop.nested())):
            continue
        asked = [each for each in needs.needs() if needs.around(each[0]) is loop]
        if not needs.planned(asked):
            continue
        blocks = {inner for block in loop.blocks for inner in block.blocks()}
        needs.moved |= blocks
        if any(value.block in blocks for value in needs.planned(asked)):
            needs.moved -= blocks


def is_plain(op: Operation) -> bool:
    """Whether an operation may as well run later: nobody sees that, and it would give the same."""
    if not isinstance(op, (Apply, Load, View, For)) or op.contexts or op.caught:
        return False
    if isinstance(op, Apply) and (not op.primitive.pure or op.raises and op.primitive.raises):
        return False
    return not any(effect.what == "write" for effect in op.effects())

"""Whether a view that nobody can write to would show what is stored after it was made.

d = np.diagonal(m)
m[0, 0] = 2.0
y = d[0]                        # 2.0: the compiler takes `d` for what it was when it was made
"""

from __future__ import annotations

from autodiff.core.function import Function
from autodiff.core.operation import Apply, Load, Loop, Operation


def seen_later(function: Function, view: Apply) -> bool:
    """Whether memory may be written between the place where a view of it is made and the last place
    where that, or what shares with it, is used.
    """
    order = {op: k for k, op in enumerate(function.body.walk())}
    own = view.result.region
    given = [v.op.base if isinstance(v.op, Load) else v for v in view.operands]
    memory = {value.region for value in given if value.region is not None}
    start = order[view]
    last = start
    for op, k in order.items():
        if op is not view and any(value.region is own for value in op.operands):
            last = max(last, end(op, view, order)) if k > start else len(order)
        if any(value.region is own for block in op.blocks for value in block.results):
            last = len(order)
    writers = [op for op in order if any(op.writes(region) for region in memory)]
    return any(start < order[op] <= last for op in writers if not op.blocks)


def end(user: Operation, view: Operation, order: dict[Operation, int]) -> int:
    """The place after which a use does not come again: behind the loops that the view is not in."""
    found, block = order[user], user.block
    while block is not None and block.parent is not None:
        loop = block.parent
        if isinstance(loop, Loop) and view not in set(loop.body.walk()):
            found = max(order[op] for op in loop.body.walk())
        block = loop.block
    return found

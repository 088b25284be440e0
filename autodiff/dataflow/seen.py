"""Whether a view that nobody can write to would show what is stored after it was made.

d = np.diagonal(m)
m[0, 0] = 2.0
y = d[0]                        # 2.0: the compiler takes `d` for what it was when it was made
"""

from __future__ import annotations

from autodiff.core.function import Function
from autodiff.core.operation import Apply, If, Load, Loop, Operation
from autodiff.core.trying import Try
from autodiff.dataflow.uses import outputs


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


def read_later(function: Function, op: Apply) -> bool:
    """Whether memory that a call may overwrite is the caller's, or may be read after it.

    `np.median(y, overwrite_input=True)` leaves anything in `y`.
    """
    loads = [v.op for v in op.operands if isinstance(v.op, Load)]
    given = [load.base for load in loads] + op.operands
    memory = {region for value in given if value.region for region in value.region.reached()}
    if any(region.given for region in memory):
        return True
    own = {op, *loads, *op.mended}
    order = list(function.body.walk())
    later = set(order[order.index(op) + 1 :])
    block = op.block
    while block is not None and block.parent is not None:
        around = block.parent
        if isinstance(around, Loop):
            if any(load.base.op not in block.operations for load in loads):
                return True  # the next iteration reads it
            later.update(block.walk())
        elif isinstance(around, If) and not isinstance(around, Try):
            later -= {o for other in around.blocks if other is not block for o in other.walk()}
        block = around.block
    read = [value for o in later - own for value in o.operands]
    read += [value for inner in function.body.blocks() for value in inner.results]
    read += outputs(function)
    return any(
        region in memory for value in read if value.region for region in value.region.reached()
    )


def end(user: Operation, view: Operation, order: dict[Operation, int]) -> int:
    """The place after which a use does not come again: behind the loops that the view is not in."""
    found, block = order[user], user.block
    while block is not None and block.parent is not None:
        loop = block.parent
        if isinstance(loop, Loop) and view not in set(loop.body.walk()):
            found = max(order[op] for op in loop.body.walk())
        block = loop.block
    return found

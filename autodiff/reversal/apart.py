"""Whether a write never touches, after a load, what the load read."""

from __future__ import annotations

from autodiff.core.operation import Access, Block, For, Loop, Operation
from autodiff.core.value import Value
from autodiff.core.window import At, Window
from autodiff.dataflow.integers import Place, affine, least, step_sign


def direction(loop: For) -> int:
    """The sign by which the variable of a loop over a range moves, 0 if it is not known."""
    sign = step_sign(loop.over.op)
    return -sign if loop.backwards else sign


def place(op: Access) -> Place | None:
    """A single index as variable + offset, None for another window."""
    window: Window | None = op.window
    if window is None or len(window.parts) != 1:
        return None
    part = window.parts[0]
    if isinstance(part, int):
        return None, part
    return affine(op.index[0]) if isinstance(part, At) and op.index[0].is_number else None


def apart(load: Access, write: Operation, loop: Loop | None, later: bool, again: bool) -> bool:
    """Whether `write` never touches, after the load, what the load read.

    loop: the innermost loop that both stand in. later: the write comes behind the load in an
    iteration of it. again: it also comes in further iterations.
    """
    if not isinstance(write, Access) or write.base is not load.base:
        return False
    if again and loop is not None and is_inside(load.base, loop.body):
        return False  # it may be other memory in each iteration, or another part of it
    one, two = place(load), place(write)
    if one is None or two is None or one[0] is not two[0]:
        return False
    if one[0] is None:
        return one[1] != two[1] and (one[1] >= 0) == (two[1] >= 0)
    lowest = least(one[0])
    if lowest is None or lowest + min(one[1], two[1]) < 0:
        return False  # negative places count from the end
    if not again:
        return one[1] != two[1]
    if not isinstance(loop, For) or one[0] is not loop.variable:
        return False
    ahead = (two[1] - one[1]) * direction(loop)
    return ahead > 0 or ahead == 0 and not later and direction(loop) != 0


def is_inside(value: Value, block: Block) -> bool:
    """Whether a value is defined in a block, or in one nested in it."""
    inner = value.block
    while inner is not None and inner is not block:
        inner = inner.parent.block if inner.parent is not None else None
    return inner is block

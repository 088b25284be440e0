"""Whether loops visit each element of memory once."""

from __future__ import annotations

from autodiff.core.operation import Access, Block, For
from autodiff.core.window import At, Window
from autodiff.dataflow.integers import affine, smallest
from autodiff.dataflow.uses import User


def visits_once(op: Access, block: Block, users: list[User]) -> bool:
    """Whether an access in loops of a block touches another element each time, and other elements
    than anybody before; `users` use the memory, of which `op` is the only one in its outermost
    loop.
    """
    loops: list[For] = []
    inner = op.block
    while inner is not None and inner is not block:
        parent = inner.parent
        if not isinstance(parent, For):
            return False
        loops.append(parent)
        inner = parent.block
    window = op.window
    if inner is None or window is None:
        return not loops and window is not None
    return all(any(is_own(op, window, part, loop) for part in window.parts) for loop in loops)


def is_own(op: Access, window: Window, part: object, loop: For) -> bool:
    """Whether a part of an index is another place of the memory in each iteration of a loop."""
    if not isinstance(part, At) or not op.index[part.number].is_number:
        return False
    variable, offset = affine(op.index[part.number])
    lowest = smallest(loop)
    return variable is loop.variable and lowest is not None and lowest + offset >= 0

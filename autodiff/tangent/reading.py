"""What operations read."""

from __future__ import annotations

import itertools

from autodiff.core import Apply, Operation, Value, walk
from autodiff.primitives import ITEM


def reads_later(made: list[Operation], later: list[Operation]) -> bool:
    """Whether a tangent reads a part of several results that is still to come."""
    parts = {each.results[0] for each in itertools.takewhile(is_part, later)}
    return not read_by(made).isdisjoint(parts)


def read_by(operations: list[Operation]) -> set[Value]:
    """What operations read, also deep inside."""
    found = {value for op in walk(operations) for value in op.operands}
    inner = (block for op in walk(operations) for block in op.blocks)
    return found.union(*(block.results for block in inner))


def is_part(op: Operation) -> bool:
    """Whether an operation is one of those that take apart what gives several results."""
    return isinstance(op, Apply) and op.primitive is ITEM

"""Branches that follow each other on one test become one.

    if c:                      if c:
        y = x * x                  y = x * x
    if c:                          z = np.sum(y)
        z = np.sum(y)

So far where the second was made because a variable differs in form by that test.
"""

from __future__ import annotations

from autodiff.core.function import Function
from autodiff.core.operation import Apply, If, Operation
from autodiff.core.statements import told
from autodiff.core.value import Value
from autodiff.primitives.table import BOUND


def fuse(function: Function) -> None:
    """Joins branches with those in front of them."""
    for block in list(function.body.blocks()):
        kept: list[Operation] = []
        for op in block.operations:
            before = kept[-1] if kept else None
            if isinstance(op, If) and op.divides and isinstance(before, If):
                if told(before, 0) == told(op, 0) and before.contexts == op.contexts:
                    append(before, op)
                    continue
            kept.append(op)
        block.operations = kept


def append(first: If, second: If) -> None:
    """The blocks of `second` behind those of `first`."""
    for own, more in zip(first.blocks, second.blocks):
        known = dict(zip(first.results, own.results))
        for op in list(more.operations):
            rename(op, known)
            if isinstance(op, Apply) and op.primitive is BOUND and not op.raises:
                if not op.operands[0].partial:
                    known[op.result] = op.operands[0]
                    continue
            op.block = own
            for value in op.results:
                value.block = own
            own.operations.append(op)
        own.results += [known.get(value, value) for value in more.results]
        more.operations = []  # which are looked through once, where they are now
    for value in second.results:
        value.op = first
        first.results.append(value)


def rename(op: Operation, known: dict[Value, Value]) -> None:
    """An operation uses other values in place of some, also deep inside."""
    op.operands = [known.get(value, value) for value in op.operands]
    for block in op.blocks:
        for inner in block.operations:
            rename(inner, known)
        block.results = [known.get(value, value) for value in block.results]

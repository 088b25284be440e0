"""Numbers that are the same in each iteration of a reversed loop are computed in front of it."""

from __future__ import annotations

from autodiff.analysis.kind import Scalar
from autodiff.core.function import Function
from autodiff.core.operation import Apply, Block, Loop, Operation
from autodiff.core.references import References
from autodiff.core.value import Value
from autodiff.lean.reuse import is_short


def invariants(function: Function, references: References) -> None:
    """Moves what no iteration changes, and what cannot raise an error if there is none.

    before: `for ...: x_bar += g_bar * (h / 6)`
    after: `h_over_6 = h / 6`, `for ...: x_bar += g_bar * h_over_6`
    """
    body = function.body
    for loop in [op for op in body.operations if isinstance(op, Loop) and op.reverse]:
        inside = {block for own in loop.blocks for block in own.blocks()}
        moved: list[Operation] = []
        for op in loop.body.walk():
            if is_number(op) and all(
                value.is_constant or value.block not in inside for value in op.operands
            ):
                assert op.block is not None
                moved.append(op)
                op.block.operations = [other for other in op.block.operations if other is not op]
                op.block = op.results[0].block = body
                op.origin = None  # it is about no one statement
        at = body.operations.index(loop)
        body.operations[at:at] = moved


def is_number(op: Operation) -> bool:
    """Whether an operation computes a number from numbers, and cannot go wrong."""
    if not isinstance(op, Apply) or op.reads or op.changes or op.contexts or is_short(op):
        return False
    if op.raises or op.again is not None and op.again.raises:
        return False  # there may be no iteration
    pure = op.primitive.pure and op.primitive.function is not None
    pure = pure and not all(value.is_constant for value in op.operands)
    numbers = [op.result, *op.operands]
    return pure and all(isinstance(value.kind, Scalar) for value in numbers)

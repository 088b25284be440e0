"""An element of an array is looked up once where nobody writes to it in between."""

from __future__ import annotations

from typing import TypeGuard

from autodiff.core import Function, Load, Operation, Push, References, Value
from autodiff.dataflow.apart import apart
from autodiff.dataflow.integers import place_of
from autodiff.dataflow.settle import rename
from autodiff.kinds.kind import Array, Scalar


def elements(function: Function, references: References) -> None:
    """One load for several of one element, in a block; in the forward sweep only in statements
    that are not written as the user did anyway, as something in them is kept.

    before: `d = u[i] - u[i - 1]`, `tape.push(d)`, `w[i] = u[i] - c * d`
    after: `u_i = u[i]`, `d = u_i - u[i - 1]`, `tape.push(d)`, `w[i] = u_i - c * d`
    """
    pushes = [op for op in function.body.walk() if isinstance(op, Push)]
    kept = {value.op.origin for op in pushes for value in op.operands if value.op is not None}
    swapped: dict[Value, Value] = {}
    for block in function.body.blocks():
        known: dict[object, Load] = {}
        for op in list(block.operations):
            op.operands = [swapped.get(value, value) for value in op.operands]
            if is_element(op) and (op.reverse or op.origin in kept):
                first = known.setdefault((op.base, place_of(op)), op)
                if first is not op:
                    swapped[op.result] = first.result
                    block.operations.remove(op)
                    if block is function.body and not op.reverse and function.boundary:
                        function.boundary -= 1
            else:
                known = {key: load for key, load in known.items() if not changes(op, load)}
    rename(function, swapped)


def is_element(op: Operation) -> TypeGuard[Load]:
    """Whether an operation looks up one number of an array."""
    if not isinstance(op, Load) or not isinstance(op.result.kind, Scalar):
        return False
    return isinstance(op.base.kind, Array) and not op.caught and not op.contexts


def changes(op: Operation, load: Load) -> bool:
    """Whether an operation writes what a load looked at."""
    region = load.base.region
    return region is not None and op.writes(region) and not apart(load, op, None, True, False)

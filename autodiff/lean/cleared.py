"""Adjoint memory is not cleared when nobody looks at it any more."""

from __future__ import annotations

from autodiff.core.function import Function
from autodiff.core.operation import Store
from autodiff.core.references import References
from autodiff.core.region import Region
from autodiff.dataflow.uses import outputs
from autodiff.lean.merged import is_clearing


def last_clears(function: Function, references: References) -> None:
    """Drops the clearing of memory that is not read or written afterwards.

    before: `x_0_bar = y_bar[0]`, `y_bar[0] = 0.0`, `x_bar[0] += x_0_bar`
    after: `x_bar[0] += y_bar[0]`
    """
    body = function.body
    assert function.boundary is not None
    later: set[Region] = {v.region for v in outputs(function) if v.region is not None}
    for op in reversed(body.operations[function.boundary :]):
        if isinstance(op, Store) and is_clearing(op) and op.base.region not in later:
            body.operations.remove(op)
            continue
        for inner in (op, *(each for block in op.blocks for each in block.walk())):
            later |= {v.region for v in inner.operands if v.region is not None}

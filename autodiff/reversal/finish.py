"""What a derivative gives out is memory that nobody else has."""

from __future__ import annotations

import numpy as np

from autodiff.analysis.kind import Array
from autodiff.core.function import Function
from autodiff.core.operation import Apply, If, Load, Loop, Operation
from autodiff.core.references import References
from autodiff.core.region import Region
from autodiff.core.value import Value
from autodiff.dataflow.settle import mapped
from autodiff.dataflow.uses import values_in
from autodiff.primitives.builder import Builder


def finish(function: Function, references: References) -> None:
    """Copies adjoints that are somebody's memory, and a value that the pullback goes on to use."""
    assert function.boundary is not None
    body = function.body
    shared = (
        used_by_reverse(function)
        if function.seeds is not None or function.result is not None
        else set()
    )
    given = {v.region for v in body.parameters} | {v.region for v in function.seeds or ()}
    seen: set[Region] = set()

    def own(value: Value, tail: list[Operation], reverse: bool) -> Value:
        if not isinstance(value.kind, Array):
            return value
        region = value.region
        new = is_new(value) and region not in given and region not in seen
        if region is not None:
            seen.add(region)
        if new and not (region in shared and not reverse):
            return value
        outer, body.operations = body.operations, []
        builder = Builder(body, references, reverse=reverse)
        made = builder.call(
            ".copy", np.copy, value, name_hint="value" if not reverse else "", kind=value.kind
        )
        tail += body.operations
        body.operations = outer
        return made

    value_tail: list[Operation] = []
    function.result = mapped(function.result, lambda v: own(v, value_tail, False))
    body.operations[function.boundary : function.boundary] = value_tail
    function.boundary += len(value_tail)
    adjoint_tail: list[Operation] = []
    function.outputs = mapped(function.outputs, lambda v: own(v, adjoint_tail, True))
    body.operations += adjoint_tail


def is_new(value: Value, seen: frozenset[Value] = frozenset()) -> bool:
    """Whether a value is memory that was made here, or carried from such."""
    op = value.op
    if value in seen:
        return True
    seen |= {value}
    if op is None:
        loop = value.block.parent if value.block is not None else None
        if not isinstance(loop, Loop) or value not in loop.carried:
            return False
        j = loop.carried.index(value)
        return is_new(loop.inits[j], seen) and is_new(loop.body.results[j], seen)
    if isinstance(op, Loop):
        j = op.results.index(value)
        return is_new(op.inits[j], seen) and is_new(op.body.results[j], seen)
    if isinstance(op, If):
        j = op.results.index(value)
        return all(is_new(block.results[j], seen) for block in op.blocks)
    if isinstance(op, Apply):
        return bool(op.primitive.memory == "new")
    if isinstance(op, Load):
        return op.window is None and is_new(op.base, seen)
    return False


def used_by_reverse(function: Function) -> set[Region | None]:
    """The memory that the reverse sweep reads or writes."""
    found: set[Region | None] = set()
    for top in function.body.operations[function.boundary :]:
        for op in (top, *(inner for block in top.blocks for inner in block.walk())):
            found |= {v.region for v in op.operands if v.memory is not None}
    return found | {v.region for v in values_in(function.outputs) if v.memory is not None}

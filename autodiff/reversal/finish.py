"""What a derivative gives out is memory that nobody else has."""

from __future__ import annotations

import numpy as np

from autodiff.core import Apply, Load, Move, Operation, Region
from autodiff.core.function import Function, References, ends, values_in
from autodiff.core.value import Value, walk
from autodiff.dataflow.settle import mapped
from autodiff.kinds.kind import Array, Numeric, Scalar, Static, Text
from autodiff.primitives.builder import Builder
from autodiff.runtime import copied


def finish(function: Function, references: References) -> None:
    """Copies adjoints that are somebody's memory, and a value that the pullback goes on to use."""
    assert function.boundary is not None
    if function.owned:
        return
    body = function.body
    again = function.seeds is not None
    reverse = list(walk(body.operations[function.boundary :]))
    changed = {e.region.find() for op in reverse for e in op.effects() if e.what == "write"}
    shared = used(reverse, function) if again else changed  # nobody has it before that is over
    given = {v.region for v in body.parameters} | {v.region for v in function.seeds or ()}
    seen: set[Region | None] = set()

    def is_own(value: Value, is_adjoint: bool) -> bool:
        """Whether nobody else has, or gets, the memory of what is given out."""
        region = memory(value)
        taken = region in given or region in seen or not is_adjoint and region in shared
        taken = taken or region is not None and region.exposed
        seen.add(region)
        # a pullback that is called again makes new memory, or duplicates what it changes
        return not taken and is_new(value, again and is_adjoint and region not in changed)

    def own(value: Value, tail: list[Operation], is_adjoint: bool) -> Value:
        if isinstance(value.kind, (Text, Static, Scalar)) or value.is_constant:
            return value
        known = isinstance(value.kind, (Array, Numeric))
        if known and is_own(value, is_adjoint):
            return value
        outer, body.operations = body.operations, []
        builder = Builder(body, references, reverse=is_adjoint)
        path, function_ = (".copy", np.copy) if value.is_array else ("copied", copied)
        own_hint = "" if is_adjoint else "value"
        made = builder.call(path, function_, value, name_hint=own_hint, kind=value.kind)
        assert isinstance(made.op, Apply)
        made.op.reads = True  # what is there now
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


def is_new(value: Value, reverse: bool = False, seen: frozenset[Value] = frozenset()) -> bool:
    """Whether a value is memory made here (`reverse`: in that sweep), or carried from such."""
    op = value.op
    if value in seen:
        return True
    seen |= {value}
    if ends(value):
        return all(is_new(end, reverse, seen) for end in ends(value))
    if isinstance(op, Apply):
        return bool(op.primitive.memory == "new" and (op.reverse or not reverse))
    if isinstance(op, Move):
        return is_new(op.operands[op.results.index(value)], reverse, seen)
    if isinstance(op, Load):
        return op.window is None and is_new(op.base, reverse, seen)
    return False


def memory(value: Value) -> Region | None:
    """The memory that a value is in the text, where a load prints as what it loads."""
    while isinstance(value.op, Load) and isinstance(value.kind, Array):
        value = value.op.base
    return value.region


def used(reverse: list[Operation], function: Function) -> set[Region]:
    """The memory that the reverse sweep reads or writes, or gives out."""
    read = [v for op in reverse for v in op.operands]
    read += [v for op in reverse for block in op.blocks for v in block.results]
    found = {memory(v) for v in (*read, *values_in(function.outputs)) if v.memory is not None}
    return {inner for region in found if region is not None for inner in region.reached()}

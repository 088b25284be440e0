"""A copy that nobody changes, of memory that nobody changes, is that memory."""

from __future__ import annotations

import numpy as np

from autodiff.core import Apply, Function, Load, References, Region, Value, outputs, unite
from autodiff.dataflow.settle import rename
from autodiff.lean.rewriting import is_call


def unchanged(function: Function, references: References) -> None:
    """Copies where a shadow was, which was written to, and what stands in its place is not.

    before: `if value_chosen: ...`, `else: y_bar = x_bar.copy()`, and `y_bar` is only read
    after: `else: y_bar = x_bar`
    """
    if function.laid_out:
        return
    operations = list(function.body.walk())
    copies = [op for op in operations if op.reverse and is_call(op, np.copy)]
    if not copies:
        return
    effects = [each for op in operations if not op.blocks for each in op.effects()]
    changed = [each.region for each in effects if each.what == "write"]
    given = [own for value in outputs(function) for own in memory_of(value)]

    def is_free(value: Value) -> bool:
        """Whether memory is neither changed nor given out."""
        taken = {region.find() for region in (*changed, *given)}
        own = memory_of(value)
        return bool(own) and not any(each.exposed or each in taken for each in own)

    swapped: dict[Value, Value] = {}
    for op in copies:
        assert isinstance(op, Apply)
        own = op.operands[0]
        if own.kind == op.result.kind and is_free(own) and is_free(op.result):
            swapped[op.result] = own
            unite(own, op.result)
            op.block.operations.remove(op)
    rename(function, swapped)


def memory_of(value: Value) -> list[Region]:
    """The memory that a value is in the text, where a load prints as what it loads."""
    found = [] if value.region is None else value.region.reached()
    return [*found, *memory_of(value.op.base)] if isinstance(value.op, Load) else found

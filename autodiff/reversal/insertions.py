"""Blocks of the user's that work on an adjoint, in the reverse sweep.

with insert_grad_of(x) as x_bar:        x_bar = fitted(insert_x_bar(x_bar.copy(), i), x)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from autodiff.core import WHOLE, Apply, Function, Unseen, Value
from autodiff.dataflow.settle import rename
from autodiff.primitives.inserted import is_insertion
from autodiff.reversal.given import Calls
from autodiff.reversal.scope import Scope

if TYPE_CHECKING:
    from autodiff.reversal.sweep import Sweep

_SEVERAL = (
    "the adjoint of memory that goes by several names is asked for",
    "it changes under another name, where the block does not see its adjoint",
    "change it under the one name, or ask for the adjoint of a copy",
)


def inserted(sweep: Sweep, scope: Scope, op: Apply) -> None:
    """What the block makes of the adjoint goes on to what the value was computed from."""
    value, *others = op.operands
    result, shadow = op.result, sweep.of.get(op.result)
    if shadow is None:
        g = sweep.whole(scope, result, sweep.gathered(scope, result))
    else:
        if op.primitive.function.shared:
            raise Unseen(op.origin, *_SEVERAL)
        g = scope.builder.load(shadow)
    block, calls = op.primitive.function.block, Calls(scope.builder, op, None)
    made = calls.call(block.__name__, block, [calls.own(g, result.kind), *others])
    made.hint = f"{value.hint or 'value'}_bar"
    assert isinstance(made.op, Apply)
    made.op.beside = (made.op,)
    found = calls.fitted(made, value)
    if shadow is None:
        sweep.add(scope, value, found)
    else:
        scope.builder.store(shadow, found, WHOLE)


def without_insertions(function: Function) -> None:
    """Nobody asks for these adjoints any more."""
    swapped: dict[Value, Value] = {}
    for block in function.body.blocks():
        found = [op for op in block.operations if is_insertion(op)]
        swapped |= {op.result: op.operands[0] for op in found}
        if block is function.body and function.boundary is not None:
            function.boundary -= len(found)
        block.operations = [op for op in block.operations if op not in found]
    rename(function, swapped)

"""What a rule leaves out stays left out, whatever it is multiplied by: zero times infinity is none.

g = where(y == 0, 0.0, y_bar * y)                   of the template of a density
before: `x_bar = -g * z`                            NaN where z is infinite
after: `x_bar = where(y == 0, 0.0, -(y_bar * y) * z)`
"""

from __future__ import annotations

import operator
from dataclasses import replace
from typing import Any

from autodiff.core.operation import Apply
from autodiff.core.value import Value
from autodiff.lower.flow.choice import Choice, choice_of
from autodiff.primitives.builder import Builder

_PRODUCTS: dict[Any, tuple[int, ...]] = {
    operator.mul: (0, 1),
    operator.truediv: (0,),
    operator.neg: (0,),
}
"""By which operand an operation is zero."""


def left_out(builder: Builder, since: int) -> dict[Value, Value]:
    """Products that a rule has written stand inside of its choices, from an operation on; gives
    what the results are now.
    """
    operations, swapped = builder.block.operations[since:], dict[Value, Value]()
    del builder.block.operations[since:]
    choices: dict[Value, Choice] = {}
    for op in operations:
        op.operands = [swapped.get(value, value) for value in op.operands]
        builder.block.operations.append(op)
        found = choice_of(op)
        if found is not None:
            choices[op.result] = found
        factors = _PRODUCTS.get(op.primitive.function, ()) if isinstance(op, Apply) else ()
        number = next((k for k in factors if op.operands[k] in choices), None)
        if number is None:
            continue
        choice = choices[op.operands[number]]
        op.operands[number] = choice.kept
        made = choice.of(builder, op.result, op.result.kind)
        swapped[op.result], choices[made] = made, replace(choice, kept=op.result)
    return swapped

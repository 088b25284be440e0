"""What a rule leaves out stays left out, whatever it is multiplied by: zero times infinity is none.

g = where(y == 0, 0.0, y_bar * y)                   of the template of a density
before: `x_bar = -g * z`                            NaN where z is infinite
after: `x_bar = where(y == 0, 0.0, -(y_bar * y) * z)`
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, replace
from typing import Any

import gast
import numpy as np

from autodiff.core.operation import Apply, Block
from autodiff.core.value import Value, constant
from autodiff.primitives.builder import Builder
from autodiff.primitives.form import hole
from autodiff.primitives.primitive import Application

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
    block: Block = builder.block
    operations, swapped = block.operations[since:], dict[Value, Value]()
    del block.operations[since:]
    choices: dict[Value, Choice] = {}
    for op in operations:
        op.operands = [swapped.get(value, value) for value in op.operands]
        block.operations.append(op)
        if not isinstance(op, Apply):
            continue
        found = chosen(op)
        if found is not None:
            choices[op.result] = found
        zero = (k for k in _PRODUCTS.get(op.primitive.function, ()) if op.operands[k] in choices)
        number = next(zero, None)
        if number is None:
            continue
        choice = choices[op.operands[number]]
        op.operands[number] = choice.other
        made = choice.of(builder, op.result)
        swapped[op.result], choices[made] = made, replace(choice, other=op.result)
    return swapped


@dataclass(frozen=True, slots=True)
class Choice:
    """`where(test, other, 0.0)`. form: with a hole for `other`, whose number is `place`."""

    op: Apply
    form: gast.expr
    place: int
    other: Value

    def of(self, builder: Builder, value: Value) -> Value:
        """The same choice of another value."""
        operands = [*self.op.operands, value][: max(len(self.op.operands), self.place + 1)]
        operands[self.place] = value
        form = self.form
        application = Application(tuple(form.args) if isinstance(form, gast.Call) else (form,))
        return builder.apply(self.op.primitive, application, form, operands, value.kind)


def chosen(op: Apply) -> Choice | None:
    """An operation as a choice between something and zero; None for others."""
    form = op.form
    if op.primitive.function is np.where and isinstance(form, gast.Call) and len(form.args) == 3:
        ends = form.args[1:]
    elif isinstance(form, gast.IfExp):
        ends = [form.body, form.orelse]
    else:
        return None
    zeros = [isinstance(end, gast.Constant) and end.value == 0 for end in ends]
    if sum(zeros) != 1:
        return None
    place, other = zeros.index(False), ends[zeros.index(False)]
    if isinstance(other, gast.Constant) and isinstance(other.value, (int, float)):
        new = hole(len(op.operands))
        ends[place] = new
        if isinstance(form, gast.Call):
            made: gast.expr = gast.Call(form.func, [form.args[0], *ends], form.keywords)
        else:
            made = gast.IfExp(form.test, *ends)
        return Choice(op, made, len(op.operands), constant(other.value))
    if not isinstance(other, gast.Name) or not other.id.isdigit():
        return None
    names = [node.id for node in gast.walk(form) if isinstance(node, gast.Name)]
    number = int(other.id)
    return Choice(op, form, number, op.operands[number]) if names.count(other.id) == 1 else None

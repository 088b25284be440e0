"""Operations that choose between something and zero, by the form in which they print."""

from __future__ import annotations

from dataclasses import dataclass

import gast
import numpy as np

from autodiff.analysis.kind import Kind
from autodiff.core.operation import Apply, Operation
from autodiff.core.value import Value, constant
from autodiff.primitives.builder import Builder
from autodiff.primitives.form import hole
from autodiff.primitives.primitive import Application


@dataclass(frozen=True, slots=True)
class Choice:
    """`np.where(test, kept, 0.0)` or `kept if test else 0.0`; or the other way round if `kept` is
    not the first. form: with a hole for `kept`, whose number is `place`.
    """

    op: Apply
    form: gast.expr
    place: int
    kept: Value
    first: bool

    @property
    def test(self) -> Value | None:
        """The test, where that is an operand."""
        node = self.form.args[0] if isinstance(self.form, gast.Call) else self.form.test
        return self.op.operands[int(node.id)] if is_hole(node) else None

    def of(self, builder: Builder, value: Value, kind: Kind | None = None) -> Value:
        """The same choice of another value."""
        operands = list(self.op.operands)
        operands[self.place : self.place + 1] = [value]
        form = self.form
        application = Application(tuple(form.args) if isinstance(form, gast.Call) else (form,))
        return builder.apply(self.op.primitive, application, form, operands, kind)


def choice_of(op: Operation | None) -> Choice | None:
    """An operation as a choice between something and zero; None for others."""
    if not isinstance(op, Apply):
        return None
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
    side = zeros.index(False)
    kept = ends[side]
    if is_hole(kept):
        uses = [node for node in gast.walk(form) if is_hole(node) and node.id == kept.id]
        number = int(kept.id)
        return Choice(op, form, number, op.operands[number], not side) if len(uses) == 1 else None
    if not isinstance(kept, gast.Constant):
        return None
    number = len(op.operands)
    ends[side] = hole(number)
    if isinstance(form, gast.Call):
        form = gast.Call(form.func, [form.args[0], *ends], form.keywords)
    else:
        form = gast.IfExp(form.test, *ends)
    return Choice(op, form, number, constant(kept.value), not side)


def is_hole(node: gast.AST) -> bool:
    """Whether a part of a form stands for an operand."""
    return isinstance(node, gast.Name) and node.id.isdigit()

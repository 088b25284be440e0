"""Factors under masks: what is not chosen has no influence, whatever the factor is.

`np.where(m, 0.0, g) * slope` is `np.where(m, 0.0, g * slope)`: a slope may be infinite where
nothing was chosen, and zero times infinity is no number.
"""

from __future__ import annotations

from collections.abc import Callable

import gast
import numpy as np

from autodiff.analysis.kind import Scalar
from autodiff.core.operation import Apply
from autodiff.core.value import Value
from autodiff.primitives.table import SYNTAX

Change = Callable[[Value], Value]


def under_mask(masked: Value, factor: Value | None, change: Change) -> Apply | None:
    """The masking operation of `masked` with its value changed; None where there is none.

    The result has the value as its last operand, in a form that is ready to be applied. `factor`
    must not be larger than the mask; a number that is written out needs no mask.
    """
    op = masked.op
    if not isinstance(op, Apply) or not op.reverse or factor is not None and factor.is_constant:
        return None
    if factor is not None and not isinstance(factor.kind, Scalar) and factor.kind != masked.kind:
        return None
    branches = parts(op)
    if branches is None:
        return None
    sides = branches[1:]
    zero = [isinstance(side, gast.Constant) and side.value == 0.0 for side in sides]
    if zero.count(True) != 1:
        return None
    chosen = sides[zero.index(False)]
    if not isinstance(chosen, gast.Name) or not chosen.id.isdigit():
        return None
    number = int(chosen.id)
    made = change(op.operands[number])
    operands = [made if k == number else value for k, value in enumerate(op.operands)]
    return Apply(op.primitive, op.application, op.form, operands, [])


def parts(op: Apply) -> list[gast.expr] | None:
    """Condition and both values of `np.where`, or of a choice between numbers."""
    if op.primitive.function is np.where and len(op.application.arguments) == 3:
        return list(op.application.arguments)
    if op.primitive is SYNTAX and isinstance(op.form, gast.IfExp):
        return [op.form.test, op.form.body, op.form.orelse]
    return None

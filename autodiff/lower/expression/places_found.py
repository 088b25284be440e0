"""Windows by what may be a number or an array.

k = np.where(x == y)[0].squeeze()    one place, or several
z = x[:, k]                          a view or a copy, as far as one knows, and without a derivative
"""

from __future__ import annotations

import operator

import gast

from autodiff.core import NotYet, Value, Window
from autodiff.kinds.kind import Array, Numeric, Scalar
from autodiff.lower.entries.above import Values
from autodiff.primitives import Application, hole, primitive_of
from autodiff.primitives.builder import index_node


def found_by(expressions: Values, base: Value, window: Window, index: list[Value]) -> Value:
    """What such an index gives, which is a number or an array."""
    operands = [base, *index]
    if not all(isinstance(value.kind, (Array, Numeric, Scalar)) for value in operands):
        raise NotYet("an index of unknown kind")
    holes = [hole(k) for k in range(len(operands))]
    form = gast.Subscript(holes[0], index_node(window, holes[1:]), gast.Load())
    given = Application(tuple(holes)), form, operands, Numeric()
    made: Value = expressions.builder.apply(primitive_of(operator.getitem), *given)
    return made

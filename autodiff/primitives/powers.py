"""Powers of Python's numbers that may be complex though their operands are not.

(x - 1.0) ** 0.5          is complex in Python where x < 1, and nan in NumPy
"""

from __future__ import annotations

import operator
from typing import Any

from autodiff.analysis.kind import UNKNOWN, Kind, Scalar, Unknown, is_complex
from autodiff.core.function import Function
from autodiff.core.operation import Apply
from autodiff.core.value import constant


def complex_power(function: Function) -> Any:
    """Where the first such power of a function is, if nothing else in it is complex; None else."""
    found = None
    values = list(function.body.parameters)
    for op in function.body.walk():
        values += op.results
        if found is None and isinstance(op, Apply) and is_power(op):
            base, exponent = (kind(op, node) for node in op.application.arguments)
            found = op.origin if may_be_complex(base, exponent) else None
    if any(is_complex(value.kind) or isinstance(value.kind, Unknown) for value in values):
        return None
    return found


def may_be_complex(base: Kind, exponent: Kind) -> bool:
    """Whether a power of real numbers is complex for some base and exponent of these kinds."""
    if not (isinstance(base, Scalar) and isinstance(exponent, Scalar)):
        return False
    if {base.dtype, exponent.dtype} - {None, "?"}:
        return False  # a number of NumPy's makes the power one
    known, power = base.value, exponent.value
    whole = isinstance(power, float) and power.is_integer()
    positive = isinstance(known, (int, float)) and known >= 0
    return base.type != "complex" and exponent.type == "float" and not (whole or positive)


def is_power(op: Apply) -> bool:
    """Whether an operation is `x ** y` or `pow(x, y)`."""
    return op.primitive.function in (operator.pow, pow) and len(op.application.arguments) == 2


def kind(op: Apply, node: Any) -> Kind:
    """What an argument is: an operand, or a constant as it is written."""
    own = getattr(node, "id", None)
    if own is not None:
        return op.operands[int(own)].kind if own[0].isdigit() else UNKNOWN
    return constant(node.value).kind if hasattr(node, "kind") else UNKNOWN

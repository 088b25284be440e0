"""Powers of Python's numbers that may be complex though their operands are not.

(x - 1.0) ** 0.5          is complex in Python where x < 1, and nan in NumPy
"""

from __future__ import annotations

import operator
from typing import Any

import gast

from autodiff.analysis.kind import UNKNOWN, Kind, Scalar, Unknown, is_complex
from autodiff.core.function import Function, References
from autodiff.core.operation import Apply
from autodiff.core.statements import Verbatim
from autodiff.core.value import constant
from autodiff.primitives.form import hole
from autodiff.runtime import check_real
from autodiff.syntax.names import name


def complex_power(function: Function) -> Any:
    """Where the first such power of a function is, if nothing else in it is complex; None else."""
    found = None
    if not is_plain(function):
        return None
    values = list(function.body.parameters)
    for op in function.body.walk():
        values += op.results
        if found is None and isinstance(op, Apply) and is_power(op):
            base, exponent = (kind(op, node) for node in op.application.arguments)
            found = op.origin if may_be_complex(base, exponent) else None
    if any(is_complex(value.kind) or isinstance(value.kind, Unknown) for value in values):
        return None
    return found


def is_plain(function: Function) -> bool:
    """Whether what is complex in a function shows in its result or in its derivative: of numbers,
    by operators and functions of `math`.
    """
    values = [*function.body.parameters, *(v for op in function.body.walk() for v in op.results)]
    applied = [op for op in function.body.walk() if isinstance(op, Apply)]
    homes = (getattr(op.primitive.function, "__module__", None) for op in applied)
    numbers = not function.tells_complex and all(isinstance(value.kind, Scalar) for value in values)
    return numbers and all(home in ("_operator", "math") for home in homes)


def stay_real(function: Function, references: References) -> None:
    """Such powers are checked where they are computed, if they may not show otherwise.

    before: `y = float(x[1]) ** 0.5`
    after: `y = float(x[1]) ** 0.5`, `check_real(y)`
    """
    plain = is_plain(function)
    for block in () if plain else list(function.body.blocks()):
        for op in [op for op in block.operations if isinstance(op, Apply) and is_power(op)]:
            if may_be_complex(*(kind(op, node) for node in op.application.arguments)):
                own = name(references.use("check_real", check_real))
                call = gast.Call(func=own, args=[hole(0)], keywords=[])
                check = Verbatim(gast.Expr(value=call), [op.result], op.origin)
                check.block = block
                block.operations.insert(block.operations.index(op) + 1, check)


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

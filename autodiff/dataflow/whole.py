"""Stores of floats into arrays of integers, which lose their fraction, and so have no derivative.

Where a variable is an integer on one path nobody knows which array that makes, and a power of
integers is a float where the exponent is negative. So that is checked where it runs.

    k = n if c else x[1]
    a = np.array([k, k + 1])            check_keeps(a)
    a[0] = 3 * x[1]                     a[0] = 3 * x[1]
    b = np.full(2, n**m)                check_cuts(b)
    b[0] = x[0]                         b[0] = x[0]
"""

from __future__ import annotations

from collections.abc import Callable

import gast
import numpy as np

from autodiff.core import About, Block, Function, NotYet, References, Try, Value, Verbatim
from autodiff.core.operation import Apply, Operation, Store
from autodiff.dataflow.activity import Activity
from autodiff.dataflow.carrying import carries
from autodiff.errors import NonDifferentiableError
from autodiff.kinds.binding import binding
from autodiff.kinds.kind import Array, Kind, Scalar, Unknown, is_inexact
from autodiff.kinds.operation import Operation as Operation_
from autodiff.primitives import hole, number_of
from autodiff.primitives.raising import catches
from autodiff.runtime import check_cuts, check_keeps
from autodiff.syntax.names import name

INTEGERS = frozenset(np.dtype(own).name for own in np.typecodes["AllInteger"] + "?")


def check_stores(function: Function, active: Activity, references: References) -> None:
    """Stores of what carries a derivative, where memory keeps it if it is of floats, and where it
    is taken to be of integers; and what is converted to a dtype that is found when it runs. In
    compiled code each has one dtype, as it is taken to have.
    """
    for block in list(function.body.blocks()):
        for op in [*block.operations]:
            if isinstance(op, Store):
                dtype = op.base.kind.dtype if isinstance(op.base.kind, Array) else "float64"
                if dtype is None and op.base in active and op.value in active:
                    operands = [op.base] if is_certain(op.value.kind) else [op.base, op.value]
                    written(op, block, 0, check_keeps, operands, references)
                elif dtype in INTEGERS and carries(op.value.kind) and op.value in active.varied:
                    if function.driven is None:
                        written(op, block, 0, check_cuts, [op.base], references)
            elif isinstance(op, Apply) and converts(op, active):
                written(op, block, 1, check_keeps, [op.result], references)


def converts(op: Apply, active: Activity) -> bool:
    """Whether an operation makes an array of floats one of a dtype that nobody knows."""
    form = op.application
    if op.primitive.function is None or op.result not in active:
        return False
    given = binding(Operation_(op.primitive.function, form.arguments, form.keywords)) or {}
    number = number_of(given.get("dtype"))
    return number is not None and isinstance(op.operands[number].kind, Unknown)


def written(
    op: Operation,
    block: Block,
    behind: int,
    check: Callable[..., None],
    operands: list[Value],
    use: References,
) -> None:
    """Writes a check, before or behind an operation."""
    own = name(use.use(check.__name__, check))
    call = gast.Call(func=own, args=[hole(k) for k in range(len(operands))], keywords=[])
    made = Verbatim(gast.Expr(value=call), operands, op.origin)
    made.error, made.block = NonDifferentiableError, block
    if is_caught(made):
        with About(op):
            raise NotYet("a store that may round, in a `try` that takes any error")
    block.operations.insert(block.operations.index(op) + behind, made)


def is_certain(kind: Kind) -> bool:
    """Whether a number is certainly a float. One of a type that is not known may be an integer."""
    return is_inexact(kind) and not (isinstance(kind, Scalar) and kind.dtype == "?")


def is_caught(op: Operation) -> bool:
    """Whether the user takes the error that such a check raises."""
    block = op.block
    while block.parent is not None:
        around = block.parent
        if isinstance(around, Try) and block is around.body:
            if catches(around.classes, NonDifferentiableError):
                return True
        block = around.block
    return False

"""Gates of a derivative that is differentiated again.

An adjoint or a tangent may be zero by chance, and another one beside that: what is gated by it is
left out where it is no number, else it has a derivative.

    np.where(z_bar, z_bar / y, 0.0)     np.where(np.logical_or(z_bar, np.isfinite(q)), q, 0.0)
    r_bar / (2 * r) if r_bar else 0.0   r_bar / (2 * r) if r_bar or 2 * r else 0.0
"""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from autodiff.core import Apply, Block, Operation
from autodiff.core.function import Function, References, placed
from autodiff.primitives import Application, Builder, hole, names_in
from autodiff.syntax.walk import children


def ajar(function: Function, references: References) -> None:
    """What a gate leaves out because the adjoint is zero is what is no number there."""
    for block in list(function.body.blocks()):
        operations: list[Operation] = []
        for op in block.operations:
            if isinstance(op, Apply) and op.gates:
                builder, op.gates = Builder(Block(), references, op.origin), False
                if hasattr(op.form, "orelse"):
                    open_number(op, builder)
                else:
                    adjoint, made = op.operands
                    finite = builder.call("np.isfinite", np.isfinite, made)
                    op.operands[0] = builder.call("np.logical_or", np.logical_or, adjoint, finite)
                placed(block, builder.block.operations)
                operations += builder.block.operations
            operations.append(op)
        block.operations = operations


def open_number(op: Apply, builder: Builder) -> None:
    """`made if bar else 0.0` chooses `made` wherever that is a number: what it is made of is one,
    and nothing in it is divided by zero.
    """
    body = op.form.body
    below = divisors(body)
    hidden = {own for node in below for own in names_in(node)}
    tests: list[gast.expr] = [*below]
    for k in sorted({int(own) for own in names_in(body) if own.isdigit() and own not in hidden}):
        if op.operands[k] is not op.operands[0]:
            op.operands.append(builder.call("np.isfinite", np.isfinite, op.operands[k]))
            tests.append(hole(len(op.operands) - 1))
    tests = tests or [gast.Constant(True, None)]
    others = gast.BoolOp(gast.And(), tests) if tests[1:] else tests[0]
    op.form = gast.IfExp(gast.BoolOp(gast.Or(), [op.form.test, others]), body, op.form.orelse)
    op.application = Application((op.form,))


def divisors(node: gast.AST) -> list[gast.expr]:
    """What must not be zero in an expression, from the inside."""
    found = [each for child in children(node) for each in divisors(child)]
    if hasattr(node, "op") and type(node.op) in BELOW and not is_whole(node):
        found.append(getattr(node, BELOW[type(node.op)]))
    return found


def is_whole(node: Any) -> bool:
    """Whether an operation is a power that is a number for zero, too: `k**2`."""
    return isinstance(node.op, gast.Pow) and getattr(node.right, "value", -1) >= 0


BELOW = {gast.Div: "right", gast.Pow: "left"}
"""Which part of an operation must not be zero."""

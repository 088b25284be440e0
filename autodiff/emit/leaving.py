"""Loops that are left before a range is at its end, as statements."""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast

from autodiff.core.operation import Block, Operation
from autodiff.core.statements import Ask, Break, While

if TYPE_CHECKING:
    from autodiff.emit.printer import Printer


def while_loop(printer: Printer, op: While) -> gast.While:
    """`while test:`; or `while True:` where what is computed for the test does not fit into it."""
    at = next(k for k, inner in enumerate(op.body.operations) if isinstance(inner, Ask))
    ask = op.body.operations[at]
    outer, printer.out = printer.out, []
    printer.block(op.body.operations[:at])
    before, printer.out = printer.out, outer
    test = printer.expr(ask.operands[0])
    if before:
        before.append(left(printer, gast.UnaryOp(op=gast.Not(), operand=test), ask))
        test = gast.Constant(value=True, kind=None)
    body = [*before, *printer.nested(op.body, op.carried, at + 1)]
    return gast.While(test=test, body=body or [gast.Pass()], orelse=[])


def left(printer: Printer, test: gast.expr, op: Operation) -> gast.stmt:
    """`if test: break`."""
    statement = gast.If(test=test, body=[gast.Break()], orelse=[])
    if op.origin is not None:
        statement.origin = op.origin
    return statement


def breaks(printer: Printer, block: Block) -> list[gast.stmt]:
    """What ends a body: `if flag: break`."""
    return [
        left(printer, printer.expr(op.operands[0]), op)
        for op in block.operations
        if isinstance(op, Break)
    ]

"""Compound statements in the text: `with`, `try`, loops that are left before their end."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

import gast

from autodiff.core import Ask, Block, Break, Context, Operation, Try, User, While
from autodiff.core.operation import LoadOuter, Store
from autodiff.normalize.build import assign, call
from autodiff.syntax.names import name, store
from autodiff.syntax.walk import clone

if TYPE_CHECKING:
    from autodiff.emit.printer import Printer

Contexts = tuple[Context, ...]


def contexts_of(user: User | None) -> Contexts:
    """The contexts that an operation runs in, or the end of a block; an adjoint in those of its
    source that are entered again, if it has none of its own.
    """
    op = user.parent if isinstance(user, Block) else user
    if op is None or not op.reverse:
        return op.contexts if op is not None else ()
    found = op.contexts or (op.source.contexts if op.source is not None else ())
    return tuple(context for context in found if context.again)


def runs(
    operations: list[Operation], within: Contexts
) -> Iterator[tuple[Context | None, list[Operation]]]:
    """Operations in a row, and the context that they enter."""

    def entered(op: Operation) -> Context | None:
        found = contexts_of(op)
        return found[len(within)] if len(found) > len(within) else None

    for context, found in groupby(operations, entered):
        yield context, list(found)


def with_statement(printer: Printer, context: Context, operations: list[Operation]) -> gast.stmt:
    """The operations in a context."""
    outer, printer.out = printer.out, [printer.form(clone(first)) for first in context.setup]
    printer.within = (*printer.within, context)
    printer.block(operations)
    printer.within = printer.within[:-1]
    body, printer.out = printer.out, outer
    item = gast.withitem(context_expr=printer.form(context.form), optional_vars=None)
    return gast.With(items=[item], body=body or [gast.Pass()], type_comment=None)


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


def try_statement(printer: Printer, op: Try) -> gast.stmt:
    """The body, and a clause for each number that `raised` may have."""
    cut: list[gast.stmt] = []
    if op in printer.marks:
        mark, tape = printer.marks[op], printer.tape
        printer.out.append(assign(mark, call(printer.spelled(len), name(tape)), op.origin))
        ends = gast.Slice(lower=name(mark), upper=None, step=None)
        cut.append(gast.Delete([gast.Subscript(name(tape), ends, gast.Del())]))
    body = printer.nested(op.body, op.results)
    handlers = []
    asked = op.raised in op.results
    if asked:
        printer.names[op.which] = printer.names[op.raised]
    for number, clause in enumerate(op.clauses, 1):
        own = [*map(clone, cut), *printer.nested(op.handler, op.results)]
        if asked and not (own and isinstance(own[-1], (gast.Raise, gast.Return))):
            which = gast.Constant(value=number, kind=None)
            target = store(printer.names[op.raised])
            own.append(gast.Assign(targets=[target], value=which, type_comment=None))
        form = None if clause.form is None else printer.form(clause.form)
        error = None if op.error not in printer.places.users else store(printer.names[op.error])
        if error is not None and form is None:
            form = name(printer.spelled(BaseException))
        handlers.append(gast.ExceptHandler(type=form, name=error, body=own or [gast.Pass()]))
    return gast.Try(body=body or [gast.Pass()], handlers=handlers, orelse=[], finalbody=[])


def is_product(node: gast.BinOp) -> bool:
    """Whether it is `a @ b`, which no compiled code does in place."""
    return isinstance(node.op, gast.MatMult)


def is_own(op: Store) -> bool:
    """Whether an update may be written to what holds the array: a global is no variable here."""
    return not isinstance(op.base.op, LoadOuter)


def apart_from(own: str, e: gast.expr) -> tuple[gast.operator, gast.expr] | None:
    """What is added to a name, or taken from it, in a sum that begins with it."""
    if not isinstance(e, gast.BinOp) or not isinstance(e.op, (gast.Add, gast.Sub)):
        return None
    if getattr(e.left, "id", None) == own:
        return e.op, e.right
    inner = apart_from(own, e.left)
    if inner is None:
        return None
    alike = type(inner[0]) is type(e.op)
    return inner[0], gast.BinOp(inner[1], gast.Add() if alike else gast.Sub(), e.right)

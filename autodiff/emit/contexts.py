"""`with` in the text: operations in a row that run in the same context, and their adjoints."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

import gast

from autodiff.core.operation import Block, Operation
from autodiff.core.statements import Context
from autodiff.dataflow.uses import User
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

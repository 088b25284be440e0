"""`try` in the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast

from autodiff.core.trying import Try
from autodiff.syntax.names import store

if TYPE_CHECKING:
    from autodiff.emit.printer import Printer


def try_statement(printer: Printer, op: Try) -> gast.stmt:
    """The body, and a clause for each number that `raised` may have."""
    body = printer.nested(op.body, op.results)
    handlers = []
    asked = op.raised in op.results
    if asked:
        printer.names[op.which] = printer.names[op.raised]
    for number, clause in enumerate(op.clauses, 1):
        own = printer.nested(op.handler, op.results)
        if asked:
            which = gast.Constant(value=number, kind=None)
            target = store(printer.names[op.raised])
            own.append(gast.Assign(targets=[target], value=which, type_comment=None))
        form = None if clause.form is None else printer.form(clause.form)
        error = None if op.error not in printer.places.users else store(printer.names[op.error])
        handlers.append(gast.ExceptHandler(type=form, name=error, body=own or [gast.Pass()]))
    return gast.Try(body=body or [gast.Pass()], handlers=handlers, orelse=[], finalbody=[])

"""Ranges whose ends are written, or that are asked for by position."""

from __future__ import annotations

import gast

from autodiff.core import Apply, NotYet, Value, constant
from autodiff.lower.entries.above import Expressions
from autodiff.lower.entries.boxes import called
from autodiff.lower.entries.entry import Entry
from autodiff.lower.recipes.iterators import Span

LONGEST = 32
"""A range of so many numbers is taken apart."""


def short_range(entry: Entry) -> range | None:
    """The range that an entry is, where its ends are written and it is short; None for others."""
    op = entry.op if isinstance(entry, Value) else None
    if not isinstance(op, Apply) or op.primitive.function is not range or op.operands:
        return None
    try:
        found = range(*map(gast.literal_eval, op.form.args))
    except (TypeError, ValueError):
        return None
    return found if len(found) <= LONGEST else None


def range_ends(entry: Entry) -> list[Entry] | None:
    """Start, stop and step of a range; None for what is no range."""
    op = entry.op if isinstance(entry, Value) else None
    if not isinstance(op, Apply) or op.primitive.function is not range:
        return None
    form = op.form
    assert isinstance(form, gast.Call)
    ends: list[Entry] = []
    for argument in form.args:
        if isinstance(argument, gast.Name) and argument.id[0].isdigit():
            ends.append(op.operands[int(argument.id)])
        elif isinstance(argument, gast.Constant):
            ends.append(constant(argument.value))
        elif isinstance(argument, gast.UnaryOp) and isinstance(argument.operand, gast.Constant):
            ends.append(constant(-argument.operand.value))
        else:
            raise NotYet("a range of another form")
    if len(ends) == 1:
        ends.insert(0, constant(0))
    return ends if len(ends) == 3 else [*ends, constant(1)]


def spanned(expressions: Expressions, value: Value) -> Entry | None:
    """A range as an object whose items are asked for by position; None for what is no range."""
    ends = range_ends(value)
    return None if ends is None else called(expressions, Span, *ends)

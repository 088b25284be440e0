"""What stands in brackets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast

from autodiff.core.notyet import NotYet
from autodiff.core.value import Value
from autodiff.core.window import At, Limit, Part, Span, Window
from autodiff.lower.entry import Pack

if TYPE_CHECKING:
    from autodiff.lower.containers import Containers


def window_of(expressions: Containers, node: gast.expr) -> tuple[Window, list[Value]]:
    """What stands in brackets, and its operands."""
    operands: list[Value] = []

    def limit(part: gast.expr | None) -> Limit:
        if part is None:
            return None
        value = expressions.content(part)
        if type(value.constant) is int:
            return int(value.constant)
        if value.is_constant and value.constant is None:
            return None
        operands.append(value)
        return At(len(operands) - 1)

    def axis(part: gast.expr) -> Part:
        if isinstance(part, gast.Slice):
            return Span(limit(part.lower), limit(part.upper), limit(part.step))
        entry = expressions.entry(part)
        if isinstance(entry, Pack) and part is node:
            raise NotYet("an index that is a tuple")
        value = expressions.loaded(expressions.as_value(entry))
        if value.is_constant and (value.constant is None or value.constant is Ellipsis):
            return value.constant
        if type(value.constant) is int:
            return int(value.constant)
        operands.append(value)
        return At(len(operands) - 1)

    if isinstance(node, gast.Tuple):
        return Window(tuple(map(axis, node.elts)), several=True), operands
    return Window((axis(node),)), operands

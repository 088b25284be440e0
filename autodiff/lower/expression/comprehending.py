"""Comprehensions in templates: over lists that are written out, they are written out as well.

[unbroadcast(g, like=item) for item in [x, y]]          [g, g]
"""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from autodiff.core import Apply, Value
from autodiff.instantiate.expand import expand
from autodiff.lower.entries.entry import Entry
from autodiff.lower.expression.expressions import Expressions
from autodiff.primitives.table import DISPLAY
from autodiff.syntax.names import name


class Comprehending(Expressions):
    """Lowers lists that templates make."""

    def of_ListComp(self, node: gast.ListComp) -> Entry:
        over, names = self.looped(node)
        rows = [op for row in over if isinstance(op := row.op, Apply) and op.primitive is DISPLAY]
        if len(rows) < len(over):
            return self.comprehension(node, over, names)
        items = [
            self.each(node.elt, dict(zip(names, row))) for row in zip(*(op.operands for op in rows))
        ]
        return self.builder.display(list, tuple(range(len(items))), items)

    def comprehension(self, node: gast.ListComp, over: list[Value], names: list[str]) -> Entry:
        """Over what is found at run time."""
        return self.whole(node)

    def looped(self, node: gast.ListComp) -> tuple[list[Value], list[str]]:
        """What a comprehension goes over, all at once, and the names of the items."""
        (part,) = node.generators
        over, target = part.iter, part.target
        several = isinstance(over, gast.Call) and self.static(over.func) is zip
        names = [each.id for each in (target.elts if several else [target])]
        return [self.content(each) for each in (over.args if several else [over])], names

    def each(self, node: gast.expr, items: dict[str, Value]) -> Value:
        """What a comprehension gives for some items."""
        names, numpy = self.frame.names, name(self.unit.references.use("np", np))
        names.update(items)
        if isinstance(node, gast.Call):
            kinds: Any = self
            node = expand(node, self.static(node.func), kinds, numpy)
        made = self.content(node)
        self.frame.names = {own: names[own] for own in names if own not in items}
        return made

"""The arguments of a call."""

from __future__ import annotations

from collections.abc import Callable

import gast

from autodiff.core.notyet import NotYet
from autodiff.core.value import Value, constant
from autodiff.lower.entries import outer
from autodiff.lower.entries.entry import Box, Entries, Entry, Keywords, Outer, Pack, leaves
from autodiff.lower.entries.lists import memory_of
from autodiff.lower.expression.expressions import Expressions
from autodiff.primitives.form import argument


class Arguments:
    """The arguments of a call, each evaluated once, in order. bind: parameters of a function
    that is read hold them; the last may be a tuple, starred, of an unknown number of items.
    """

    def __init__(self, expressions: Expressions, node: gast.Call, bind: bool = False) -> None:
        starred = (k for k, each in enumerate(node.args) if isinstance(each, gast.Starred))
        first = next(starred, len(node.args))
        self.positional: Entries = [*map(expressions.passed, node.args[:first])]
        rest = expressions.passed(gast.Tuple(elts=node.args[first:], ctx=gast.Load()))
        if not bind and not isinstance(rest, Pack):
            raise NotYet("arguments whose number is not known")
        own = rest.items if isinstance(rest, Pack) else [Pack((rest,), gast.Starred)]
        self.positional += own
        self.named: Keywords = []
        for keyword in node.keywords:
            if keyword.arg is None:
                box = expressions.entry(keyword.value)
                if isinstance(box, Outer) and box.cls is dict:
                    keys = [key.constant for key in leaves(Pack((*outer.items(expressions, box),)))]
                    self.named += [(key, outer.item(expressions, box, key)) for key in keys]
                    continue
                if not isinstance(box, Box) or box.cls is not dict or memory_of(box) is not None:
                    raise NotYet("arguments by **")
                self.named += box.slots.items()
                continue
            self.named.append((keyword.arg, expressions.passed(keyword.value)))

    def written(
        self, function: gast.expr, given: Callable[[Entry], Value], operands: list[Value]
    ) -> gast.Call:
        """A call with them, as it prints: what is not written is one more of the operands."""
        own = [argument(given(entry), operands) for entry in self.positional]
        named = [gast.keyword(key, argument(given(entry), operands)) for key, entry in self.named]
        return gast.Call(function, own, named)

    @classmethod
    def of(cls, positional: Entries) -> Arguments:
        """Arguments that are given by position."""
        found = cls.__new__(cls)
        found.positional, found.named = positional, []
        return found


def of_slice(given: Entries) -> Entry:
    """`slice(high)`, `slice(low, high, step)`."""
    limits = [constant(None), *given] if len(given) == 1 else given
    return Pack((*limits, *[constant(None)] * (3 - len(limits))), slice)

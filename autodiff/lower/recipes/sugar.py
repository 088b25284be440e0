"""Fewer statement forms: the rules of `desugar`, but for loops over what gives its items one after
the other. These stay as they are: `flow/drawing.py` draws from an iterator, which no index can.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autodiff.normalize.build import shallow, skip
from autodiff.normalize.desugar import RULES
from autodiff.normalize.sugar import grouping
from autodiff.normalize.sugar.context import Context
from autodiff.normalize.sugar.hoist import hoist
from autodiff.syntax.origin import origin_of

_COMPOUND = (gast.If, gast.While, gast.For, gast.With, gast.Try)
Draws = Callable[[gast.For], bool]


class Sugar:
    """Applies the rules to one function. draws: which loops stay as they are."""

    def __init__(self, context: Context, draws: Draws) -> None:
        self.context, self.draws = context, draws

    def block(self, statements: list[gast.stmt], origin: Any) -> list[gast.stmt]:
        """The statements without sugar; `pass` if nothing is left."""
        done: list[gast.stmt] = []
        waiting = statements[::-1]
        while waiting:
            statement = waiting.pop()
            made = self.first(statement)
            if made is None:
                done.append(self.inside(statement))
            else:
                waiting.extend(reversed(made))
        return [s for s in done if not isinstance(s, gast.Pass)] or [skip(origin)]

    def first(self, statement: gast.stmt) -> list[gast.stmt] | None:
        """What the first rule makes of a statement that has anything to do there."""
        if isinstance(statement, gast.For) and self.draws(statement):
            before, iterable = hoist(statement.iter, self.context, origin_of(statement))
            if not before:
                return None
            new = shallow(statement)
            new.iter = iterable
            return [*before, new]
        if isinstance(statement, gast.Delete):
            return None
        for rule in RULES.get(type(statement), ()):
            made = rule(statement, self.context)
            if made is not None:
                return made
        return None

    def inside(self, statement: Any) -> gast.stmt:
        """A compound statement with its blocks done."""
        if not isinstance(statement, _COMPOUND):
            return statement
        context, origin = self.context, origin_of(statement)
        new = shallow(statement)
        is_try = isinstance(statement, gast.Try)
        guards = is_try or isinstance(statement, gast.With) and grouping.may_suppress(statement)
        counts = isinstance(statement, gast.For) and isinstance(statement.target, gast.Name)
        counter = str(statement.target.id) if counts else ""
        held = counter not in context.active
        if held:
            context.active.add(counter)
        context.guarded += guards
        new.body = self.block(statement.body, origin)
        for field in ("orelse", "finalbody"):
            if getattr(statement, field, None):
                setattr(new, field, self.block(getattr(statement, field), origin))
        if is_try:
            new.handlers = [self.handler(each, origin) for each in statement.handlers]
        context.guarded -= guards
        if held:
            context.active.discard(counter)
        return new

    def handler(self, handler: Any, origin: Any) -> Any:
        """A clause of `try` with its block done."""
        new = shallow(handler)
        new.body = self.block(handler.body, origin)
        return new

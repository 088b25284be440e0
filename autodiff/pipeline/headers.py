"""What a statement asks before it runs anything: tests and ranges that statements compute."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autodiff.normalize.build import assign, branch, constant, negated
from autodiff.syntax.names import name
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import clone, of_class, shallow, walk

_SCOPES = (gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
_CALLING = (gast.Attribute, gast.Call)


def first(node: Any) -> Any:
    """The call that is evaluated before all others, in any case, or an attribute; None if none."""
    return _first(node)[0]


def _first(node: Any) -> tuple[Any, bool]:
    """The first one, and whether to look further where there is none."""
    if isinstance(node, (gast.Name, gast.Constant)):
        return None, True
    if isinstance(node, (gast.BoolOp, gast.IfExp, *_SCOPES)):
        part = node.values[0] if isinstance(node, gast.BoolOp) else getattr(node, "test", None)
        return (None if part is None else _first(part)[0]), False
    parts = evaluated(node)
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
        parts = [node.func.value, *parts[1:]]
    elif isinstance(node, gast.Compare):
        parts = [node.left, node.comparators[0]]
    for part in parts:
        found, goes_on = _first(part)
        if found is not None or not goes_on:
            return found, False
    if isinstance(node, _CALLING):
        return node, False
    return None, not isinstance(node, gast.Compare) or len(node.ops) == 1


def evaluated(node: Any) -> list[Any]:
    """The parts of a node; statements are none."""
    found: list[Any] = []
    for field in node._fields:
        value = getattr(node, field, None)
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, gast.AST) and not isinstance(part, gast.stmt):
                found.append(part)
    return found


def can_wait(statement: gast.stmt) -> bool:
    """Whether statements may compute what this one asks: a loop asks again where its body ends."""
    if isinstance(statement, gast.While):
        return not of_class(statement.body, gast.Continue)
    return isinstance(statement, (gast.If, gast.For, gast.Assign, gast.AugAssign))


def after(
    statement: Any, before: list[gast.stmt], again: Callable[[], list[gast.stmt]]
) -> list[gast.stmt]:
    """The statement after those that compute what it asks; `again` makes them once more.

    A loop that stops does not ask again; `if stop: break` stays the last statement of its body.
    """
    if isinstance(statement, gast.While):
        statement = shallow(statement)
        body, last = statement.body, statement.body[-1]
        if isinstance(last, gast.If) and isinstance(last.body[0], gast.Break):
            goes_on = branch(negated(last.test), again(), [], origin_of(statement))
            body = [*body[:-1], gast.copy_location(goes_on, statement), last]
        else:
            body = [*body, *again()]
        statement.body = body
    return [*before, statement]


def parted(
    statement: Any, is_wanted: Callable[[Any], bool], fresh: Callable[[], str]
) -> list[gast.stmt] | None:
    """A test by `and` or `or` as branches, if something is wanted in it that it may skip.

        while i < n and step(b) < 8.0:          holds = False
                                                if i < n:
                                                    holds = step(b) < 8.0
                                                while holds: ...
    """
    if not isinstance(statement, (gast.If, gast.While)):
        return None
    is_not = isinstance(statement.test, gast.UnaryOp) and isinstance(statement.test.op, gast.Not)
    test = statement.test.operand if is_not else statement.test
    if not isinstance(test, gast.BoolOp):
        return None

    def wanted(parts: list[gast.expr]) -> bool:
        return any(map(is_wanted, walk(parts)))

    if not can_wait(statement) or not wanted(test.values[1:]):
        return None
    own = fresh()
    origin = origin_of(statement)

    def asked(condition: gast.expr) -> list[gast.stmt]:
        if not isinstance(condition, gast.BoolOp) or not wanted(condition.values[1:]):
            return [gast.copy_location(assign(own, condition, origin), statement)]
        begin, *rest = condition.values
        later = rest[0]
        if len(rest) > 1:
            later = shallow(condition)
            later.values = rest
        is_or = isinstance(condition.op, gast.Or)
        inner = branch(negated(begin) if is_or else begin, asked(later), [], origin)
        made = [assign(own, constant(is_or), origin), inner]
        return [gast.copy_location(node, statement) for node in made]

    new = shallow(statement)
    new.test = gast.copy_location(negated(name(own)) if is_not else name(own), test)
    return after(new, asked(test), lambda: [clone(made) for made in asked(test)])


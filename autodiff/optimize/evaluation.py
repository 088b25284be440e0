"""Putting an expression where a name is read, with regard to the order of evaluation."""

from __future__ import annotations

from collections.abc import Iterator, Set
from functools import cached_property
from typing import NamedTuple

import gast

from autodiff.optimize.change import changed, map_parts
from autodiff.optimize.effects import Effects, effects, of_block
from autodiff.optimize.facts import Facts
from autodiff.syntax.make import LOAD
from autodiff.syntax.windows import root

_VALUES = ("value", "test", "iter")


class Move(NamedTuple):
    """A value that may take the place of the one read of `name`; `local` is as in `commutes`."""

    name: str
    value: gast.expr
    effects: Effects
    local: Set[str]


def put(move: Move, statement: gast.stmt, facts: Facts) -> gast.stmt | None:
    """The statement with the value in place of the name; None where it would compute another thing.

    What the statement evaluates before it reads the name is evaluated before the value from now
    on; and where a value is stored to, it cannot stand.
    """
    if isinstance(statement, (gast.Assign, gast.AugAssign)):
        targets = statement.targets if isinstance(statement, gast.Assign) else [statement.target]
        if any(root(target) == move.name for target in targets):
            return None
    parts = list(_parts(statement))
    search = _Search(move, facts, [part for field, _, part in parts if field in _VALUES])
    for field, number, part in parts:
        new = search.visit(part, True)
        if new is None:
            search.passed(changed(part, ctx=LOAD) if field == "target" else part)
            continue
        if search.refused:
            return None
        if number is not None:
            items = list(getattr(statement, field))
            items[number] = new
            result: gast.stmt = changed(statement, **{field: items})
        else:
            result = changed(statement, **{field: new})
        return result
    return None


def _parts(statement: gast.stmt) -> Iterator[tuple[str, int | None, gast.expr]]:
    """The expressions of a statement in the order in which they are evaluated."""
    if isinstance(statement, gast.AugAssign):
        yield "target", None, statement.target
    for field in _VALUES:
        part = getattr(statement, field, None)
        if part is not None:
            yield field, None, part
    if isinstance(statement, gast.Assign):
        for number, target in enumerate(statement.targets):
            yield "targets", number, target


def _ordered(node: gast.AST) -> Iterator[tuple[gast.expr, bool]]:
    """The operands in the order of their evaluation; False beside one that may be skipped."""
    if isinstance(node, gast.IfExp):
        yield node.test, True
        yield node.body, False
        yield node.orelse, False
    elif isinstance(node, gast.BoolOp):
        for number, value in enumerate(node.values):
            yield value, number == 0
    elif isinstance(node, gast.Compare):
        yield node.left, True
        for number, value in enumerate(node.comparators):
            yield value, number == 0
    elif isinstance(node, gast.Dict):
        for key, value in zip(node.keys, node.values):
            if key is not None:
                yield key, True
            yield value, True
    else:
        for field in _OPERANDS.get(type(node), ()):
            part = getattr(node, field)
            for item in part if isinstance(part, list) else [part]:
                if item is not None:
                    yield item, True


_OPERANDS: dict[type, tuple[str, ...]] = {
    gast.BinOp: ("left", "right"),
    gast.UnaryOp: ("operand",),
    gast.Call: ("func", "args", "keywords"),
    gast.keyword: ("value",),
    gast.Starred: ("value",),
    gast.Subscript: ("value", "slice"),
    gast.Attribute: ("value",),
    gast.Slice: ("lower", "upper", "step"),
    gast.Tuple: ("elts",),
    gast.List: ("elts",),
    gast.Set: ("elts",),
}


def _with(node: gast.AST, old: gast.AST, new: gast.AST) -> gast.AST:
    result: gast.AST = map_parts(lambda child: new if child is old else child, node)
    return result


class _Search:
    """Looks for the name in evaluation order and asks whether the value may come this late."""

    def __init__(self, move: Move, facts: Facts, values: list[gast.expr]) -> None:
        self.move = move
        self.facts = facts
        self.values = values
        self.refused = False

    @cached_property
    def ordered(self) -> bool:
        """Whether the order matters at all."""
        if self.move.effects.calls:
            return True
        known = of_block(self.values, self.facts)
        return known.calls or bool(known.writes)

    def passed(self, part: gast.expr) -> None:
        """`part` is evaluated before the value, if the name is still to come."""
        known = effects(part, self.facts)
        if not self.move.effects.commutes(known, self.move.local):
            self.refused = True

    def visit(self, node: gast.AST, always: bool) -> gast.AST | None:
        """The node with the value in place of the name; None if it does not read the name."""
        if isinstance(node, gast.Name):
            if node.id != self.move.name or not isinstance(node.ctx, gast.Load):
                return None
            if self.move.effects.calls and not always:
                self.refused = True
            return self.move.value
        before = self.refused
        for part, certain in _ordered(node):
            new = self.visit(part, always and certain)
            if new is not None:
                return _with(node, part, new)
            if not self.refused and self.ordered:
                self.passed(part)
        self.refused = before
        return None

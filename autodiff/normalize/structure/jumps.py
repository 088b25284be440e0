"""Which statements jump, and where a block of statements is left at its end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from autodiff.normalize.sugar.grouping import may_suppress
from autodiff.syntax.walk import walk

RETURN, BREAK, CONTINUE = 1, 2, 4
_OWN = {gast.Return: RETURN, gast.Break: BREAK, gast.Continue: CONTINUE}
_LOOPS = (gast.For, gast.While)
_FIELDS = ("body", "orelse", "finalbody")


class Jumps:
    """Answers about the jumps of statements, remembered while one function is worked on."""

    def __init__(self) -> None:
        self.known: dict[int, tuple[gast.stmt, int]] = {}

    def of(self, statement: Any) -> int:
        """The jumps that may leave the statement: a union of RETURN, BREAK and CONTINUE."""
        own = _OWN.get(type(statement))
        if own is not None:
            return own
        if not is_compound(statement):
            return 0
        known = self.known.get(id(statement))
        if known is None:
            known = self.known[id(statement)] = statement, self.inside(statement)
        return known[1]

    def inside(self, statement: Any) -> int:
        if isinstance(statement, _LOOPS):
            return self.of_block(statement.body) & RETURN | self.of_block(statement.orelse)
        found = 0
        for field in _FIELDS:
            found |= self.of_block(getattr(statement, field, None) or [])
        for handler in getattr(statement, "handlers", ()):
            found |= self.of_block(handler.body)
        return found

    def of_block(self, statements: list[gast.stmt]) -> int:
        """The jumps that may leave the statements."""
        found = 0
        for statement in statements:
            found |= self.of(statement)
        return found

    def finally_returns(self, statements: list[gast.stmt]) -> bool:
        """Whether a `finally` block runs between some `return` and the end of the function."""
        return any(
            isinstance(child, gast.Try) and child.finalbody and self.of(child) & RETURN
            for statement in statements
            if self.of(statement)
            for child in walk(statement)
        )

    def exits(self, statements: list[gast.stmt]) -> int:
        """At how many places control leaves the block at its end; 0 if it never does."""
        last = 1
        for statement in statements:
            last = self.exits_of(statement)
            if last == 0:
                return 0
        return last

    def exits_of(self, statement: Any) -> int:
        """`exits` of one statement; what does not jump counts as one place."""
        if isinstance(statement, (gast.Return, gast.Break, gast.Continue, gast.Raise)):
            return 0
        if isinstance(statement, gast.While):
            endless = is_true(statement.test) and not self.of_block(statement.body) & BREAK
            return 0 if endless else 1
        if isinstance(statement, gast.If):
            found = self.exits(statement.body) + self.exits(statement.orelse)
        elif isinstance(statement, gast.With):
            found = 1 if may_suppress(statement) else self.exits(statement.body)
        elif isinstance(statement, gast.Try):
            found = self.exits([*statement.body, *statement.orelse])
            found += sum(self.exits(handler.body) for handler in statement.handlers)
            if self.exits(statement.finalbody) == 0:
                return 0
        else:
            return 1
        return found if self.of(statement) else min(found, 1)


def is_compound(statement: Any) -> bool:
    """Whether the statement holds blocks of the same function."""
    return hasattr(statement, "body") and not isinstance(
        statement, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)
    )


def is_true(test: Any) -> bool:
    """Whether a test always holds, by its form."""
    return isinstance(test, gast.Constant) and bool(test.value)


def returns(statements: list[gast.stmt]) -> Iterator[gast.Return]:
    """Every `return` of the function itself."""
    for statement in statements:
        if isinstance(statement, gast.Return):
            yield statement
        elif is_compound(statement):
            for field in _FIELDS:
                yield from returns(getattr(statement, field, None) or [])
            for handler in getattr(statement, "handlers", ()):
                yield from returns(handler.body)


def always_assigns(statements: list[gast.stmt], flag: str) -> bool:
    """Whether the flag has been assigned whenever control reaches the end of the block."""
    for statement in statements:
        if isinstance(statement, gast.Assign):
            target = statement.targets[0]
            if isinstance(target, gast.Name) and target.id == flag:
                return True
        elif isinstance(statement, gast.If) and statement.orelse:
            if always_assigns(statement.body, flag) and always_assigns(statement.orelse, flag):
                return True
        elif isinstance(statement, gast.Raise):
            return True
    return False

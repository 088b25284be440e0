"""The work of `control`: blocks of statements without jumps.

A block is at the *tail* when nothing of its function (or loop body) follows it. A jump there needs
no flag: `continue` does nothing, `return e` is `result = e`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autodiff.errors import UnsupportedSyntaxError
from autodiff.normalize.build import assign, branch, constant, negated, shallow, skip
from autodiff.normalize.structure.conditionals import choice, entered, tried
from autodiff.normalize.structure.flags import Flags, Frame, any_of
from autodiff.normalize.structure.jumps import BREAK, CONTINUE, RETURN, Jumps
from autodiff.normalize.structure.loop_exits import loop
from autodiff.syntax.names import Names
from autodiff.syntax.origin import Origin, origin_of

Statements = list[gast.stmt]


class Structure:
    """Rewrites the blocks of one function.

    `result` is the name that holds the value to return, None if there is no need to assign one.
    """

    def __init__(
        self, names: Names, jumps: Jumps, result: str | None, is_fresh: bool = False
    ) -> None:
        self.jumps = jumps
        self.result = result
        self.is_fresh = is_fresh
        self.flags = Flags(names)
        self.origin: Origin | None = None
        self.protected = 0  # how many `try` bodies there are around
        self.cleared: set[str] = set()  # flags known to be down at this point

    def block(
        self, statements: Statements, tail: bool = True, frame: Frame | None = None
    ) -> Statements:
        """The statements without jumps; empty if nothing is left to do."""
        made: Statements = []
        for position, statement in enumerate(statements):
            if self.jumps.of(statement):
                rest = statements[position + 1 :]
                return [*made, *self.jumping(statement, rest, tail, frame)]
            made.extend(self.still(statement, frame))
            if self.jumps.exits_of(statement) == 0:
                return made
        if tail and frame is None and self.result is not None:
            origin = origin_of(statements[-1]) if statements else self.origin
            made.append(assign(self.result, constant(None), origin))
        return made

    def filled(self, statements: Statements, origin: Origin | None) -> Statements:
        """The block itself, or `pass`."""
        return statements or [skip(origin)]

    def still(self, statement: Any, frame: Frame | None) -> Statements:
        """A statement that no jump leaves; there may be loops in it that stop early."""
        if isinstance(statement, (gast.For, gast.While)):
            return loop(self, statement, [], False, frame)
        if not isinstance(statement, (gast.If, gast.With, gast.Try)):
            return [statement]
        origin = origin_of(statement)
        new = shallow(statement)
        for field in ("body", "orelse", "finalbody"):
            if getattr(statement, field, None):
                inner = self.block(getattr(statement, field), False, frame)
                setattr(new, field, self.filled(inner, origin))
        if isinstance(statement, gast.Try):
            new.handlers = [self.handler(h, False, frame) for h in statement.handlers]
        return [new]

    def handler(self, handler: Any, tail: bool, frame: Frame | None) -> Any:
        new = shallow(handler)
        origin = origin_of(handler.body[0])
        new.body = self.filled(self.block(handler.body, tail, frame), origin)
        return new

    def jumping(
        self, statement: Any, rest: Statements, tail: bool, frame: Frame | None
    ) -> Statements:
        """A statement that may jump, and what follows it in its block."""
        self.origin = origin_of(statement)
        if isinstance(statement, gast.If):
            return choice(self, statement, rest, tail, frame)
        if isinstance(statement, (gast.For, gast.While)):
            return loop(self, statement, rest, tail, frame)
        if isinstance(statement, gast.With):
            return entered(self, statement, rest, tail, frame)
        if isinstance(statement, gast.Try):
            return tried(self, statement, rest, tail, frame)
        origin = origin_of(statement)
        if isinstance(statement, gast.Return):
            return [*self.value(statement), *self.raised_flags(RETURN, tail, frame, origin)]
        if isinstance(statement, gast.Break):
            return self.raised_flags(BREAK, tail, frame, origin)
        if isinstance(statement, gast.Continue):
            return self.raised_flags(CONTINUE, tail, frame, origin)
        raise UnsupportedSyntaxError(
            "cannot take apart the jumps of this statement",
            origin,
            why="a return, break or continue leaves it",
            cure="move the jump out of the statement",
        )

    def value(self, statement: gast.Return) -> Statements:
        """`result = value`."""
        if self.result is None:
            return []
        value = statement.value or constant(None)
        if isinstance(value, gast.Name) and value.id == self.result:
            return []
        return [assign(self.result, value, origin_of(statement))]

    # Flags ------------------------------------------------------------------------------------

    def returned(self) -> str:
        return self.flags.named("returned")

    def flags_of(self, jump: int, frame: Frame | None) -> list[str]:
        """The flags that tell of such jumps."""
        found = []
        if jump & (RETURN | BREAK):
            found.append(frame.exit if frame else self.returned())
        if frame and jump & CONTINUE:
            frame.skip = frame.skip or self.flags.named("skip", frame.depth)
            found.append(frame.skip)
        return found

    def raised_flags(
        self, jump: int, tail: bool, frame: Frame | None, origin: Origin | None
    ) -> Statements:
        """The assignments that remember a jump."""
        if tail and (frame is None or jump == CONTINUE):
            return []
        flags = self.flags_of(jump, frame)
        if jump == RETURN and self.returned() not in flags:
            flags.insert(0, self.returned())
        return [assign(flag, constant(True), origin) for flag in flags]

    def guarded(
        self,
        statement: gast.stmt,
        make: Callable[[], Statements],
        rest: Statements,
        tail: bool,
        frame: Frame | None,
    ) -> Statements:
        """A statement that raises flags (as `make` writes it), and the rest if none went up."""
        origin = origin_of(statement)
        flags = self.flags_of(self.jumps.of(statement), frame)
        before: Statements = []
        for flag in flags:
            if frame and flag == frame.exit:
                frame.is_read = True
            elif flag not in self.cleared:
                before.append(assign(flag, constant(False), origin))
        own = set(flags) - self.cleared
        self.cleared |= own
        made = make()
        following = self.block(rest, tail, frame)
        self.cleared -= own
        if following:
            made.append(branch(negated(any_of(flags)), following, [], origin))
        return before + made

"""The work of `control`: blocks of statements without jumps.

A block is at the *tail* when nothing of its function (or loop body) follows it. A jump there needs
no flag: `continue` does nothing, `return e` is `result = e`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autodiff.errors import UnsupportedSyntaxError
from autodiff.normalize.build import assign, branch, constant, effect, negated, shallow, skip
from autodiff.normalize.flags import Flags, Frame, any_of, truth
from autodiff.normalize.jumps import BREAK, CONTINUE, RETURN, Jumps
from autodiff.normalize.leaving import left_loop
from autodiff.normalize.sugar.grouping import may_suppress
from autodiff.normalize.sugar.hoist import is_pure
from autodiff.syntax.names import Names, name
from autodiff.syntax.origin import Origin, origin_of
from autodiff.syntax.walk import clone

Statements = list[gast.stmt]
_ATOMS = (gast.Name, gast.Constant)


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
            return self.loop(statement, [], False, frame)
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
            return self.choice(statement, rest, tail, frame)
        if isinstance(statement, (gast.For, gast.While)):
            return self.loop(statement, rest, tail, frame)
        if isinstance(statement, gast.With):
            return self.entered(statement, rest, tail, frame)
        if isinstance(statement, gast.Try):
            return self.tried(statement, rest, tail, frame)
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

    # Branches ---------------------------------------------------------------------------------

    def choice(
        self, statement: Any, rest: Statements, tail: bool, frame: Frame | None
    ) -> Statements:
        """An `if` that jumps: what follows goes into the branch that does not."""
        body, orelse = statement.body, statement.orelse
        body_falls, orelse_falls = self.jumps.exits(body), self.jumps.exits(orelse)
        if not body_falls:
            orelse, rest = [*orelse, *(rest if orelse_falls else [])], []
        elif not orelse_falls:
            body, rest = [*body, *rest], []
        elif _is_small(rest):
            body, orelse, rest = [*body, clone(rest[0])], [*orelse, *rest], []
        if rest:
            return self.guarded(
                statement,
                lambda: self.decided(statement, body, orelse, False, frame),
                rest,
                tail,
                frame,
            )
        return self.decided(statement, body, orelse, tail, frame)

    def decided(
        self,
        statement: Any,
        body: Statements,
        orelse: Statements,
        tail: bool,
        frame: Frame | None,
    ) -> Statements:
        """`if test: body else: orelse`; a test that says whether to leave the loop is the flag."""
        origin = origin_of(statement)
        test = statement.test
        if frame and self.only_leaves(body, frame):
            return self.leaving(test, body, orelse, tail, frame, origin)
        if frame and self.only_leaves(orelse, frame):
            return self.leaving(negated(test), orelse, body, tail, frame, origin)
        body, orelse = self.block(body, tail, frame), self.block(orelse, tail, frame)
        if body or orelse:
            return [branch(test, body, orelse, origin)]
        return [] if is_pure(test) else [effect(test, origin)]

    def only_leaves(self, body: Statements, frame: Frame) -> bool:
        """Whether the block runs to its end and there leaves the loop, come what may."""
        if not body or not isinstance(body[-1], (gast.Break, gast.Return)):
            return False
        if self.jumps.of_block(body[:-1]) or not self.jumps.exits(body[:-1]):
            return False
        # An exception on the way to the jump would leave the flag up.
        if isinstance(body[-1], gast.Break):
            return len(body) == 1 or self.protected == frame.protected
        return self.protected == 0

    def leaving(
        self,
        test: gast.expr,
        body: Statements,
        orelse: Statements,
        tail: bool,
        frame: Frame,
        origin: Origin | None,
    ) -> Statements:
        """`stop = test`, then what is done before leaving, else the other branch."""
        last = body[-1]
        first = self.block(body[:-1], False, frame)
        if isinstance(last, gast.Return):
            first.extend(self.value(last))
            if frame.exit != self.returned():
                first.append(assign(self.returned(), constant(True), origin_of(last)))
        others = self.block(orelse, tail, frame)
        made: Statements = [assign(frame.exit, truth(test), origin)]
        if first or others:
            made.append(branch(name(frame.exit), first, others, origin))
        return made

    # Loops ------------------------------------------------------------------------------------

    def loop(self, statement: Any, rest: Statements, tail: bool, frame: Frame | None) -> Statements:
        """A loop that stops at the end of its body, its `else`, and what follows it."""
        jump = self.jumps.of_block(statement.body)
        named = not statement.orelse and self.ends_with_named_break(statement.body)
        if jump & (BREAK | RETURN) and not named:
            return left_loop(self, statement, rest, tail, frame)
        new = shallow(statement)
        new.orelse = []
        if named:
            new.body = [*self.block(statement.body[:-1], False, frame), statement.body[-1]]
        else:
            inner = Frame("", frame.depth + 1 if frame else 0, self.protected)
            new.body = self.filled(self.block(statement.body, True, inner), origin_of(statement))
        if not self.jumps.exits_of(statement):
            return [new]
        return [new, *self.block([*statement.orelse, *rest], tail, frame)]

    def ends_with_named_break(self, body: Statements) -> bool:
        """Whether the one jump is `if NAME: break` at the end, which is the form wanted."""
        last: Any = body[-1]
        return (
            isinstance(last, gast.If)
            and isinstance(last.test, gast.Name)
            and not last.orelse
            and len(last.body) == 1
            and isinstance(last.body[0], gast.Break)
            and not self.jumps.of_block(body[:-1])
        )

    def early_value(self, rest: Statements) -> gast.expr | None:
        """What a loop that may return leaves to return otherwise, if that can be set beforehand."""
        if self.result is None or not self.is_fresh:
            return None
        if not rest:
            return constant(None)
        last = rest[0]
        if isinstance(last, gast.Return) and _is_constant(last.value):
            return last.value or constant(None)
        return None

    # Blocks with an end of their own ----------------------------------------------------------

    def entered(
        self, statement: Any, rest: Statements, tail: bool, frame: Frame | None
    ) -> Statements:
        """A `with` that is left by a jump."""
        origin = origin_of(statement)
        suppresses = may_suppress(statement)
        if not self.jumps.exits_of(statement):
            rest = []
        new = shallow(statement)
        is_value = tail and frame is None and self.result is not None
        before: Statements = []

        def make(at_tail: bool) -> Statements:
            self.protected += suppresses
            new.body = self.filled(self.block(statement.body, at_tail, frame), origin)
            self.protected -= suppresses
            return [new]

        if rest or (is_value and suppresses and not self.is_fresh):
            return self.guarded(statement, lambda: make(False), rest, tail, frame)
        if is_value and suppresses:
            before = [assign(str(self.result), constant(None), origin)]
        return before + make(tail)

    def tried(
        self, statement: Any, rest: Statements, tail: bool, frame: Frame | None
    ) -> Statements:
        """A `try` that is left by a jump; `else` runs only if the body came to its end."""
        origin = origin_of(statement)
        if self.jumps.of_block(statement.finalbody):
            raise UnsupportedSyntaxError(
                "a jump out of a finally block",
                origin,
                why="it would swallow the exception or the return that is under way",
                cure="move the return, break or continue after the try statement",
            )
        orelse = statement.orelse if self.jumps.exits(statement.body) else []
        if not self.jumps.exits_of(statement):
            rest = []
        asks = bool(orelse) and bool(self.jumps.of_block(statement.body))

        def make(at_tail: bool) -> Statements:
            new = shallow(statement)
            self.protected += 1
            body = self.block(statement.body, at_tail and not orelse, frame)
            self.protected -= 1
            new.body = self.filled(body, origin)
            new.handlers = [self.handler(h, at_tail, frame) for h in statement.handlers]
            new.orelse = self.block(orelse, at_tail, frame) if orelse else []
            if asks:
                flags = self.flags_of(self.jumps.of_block(statement.body), frame)
                new.orelse = [branch(negated(any_of(flags)), new.orelse, [], origin)]
            if statement.finalbody:
                new.finalbody = self.filled(self.block(statement.finalbody, False, frame), origin)
            return [new]

        if rest or asks:
            return self.guarded(statement, lambda: make(False), rest, tail, frame)
        return make(tail)


def _is_small(rest: Statements) -> bool:
    """Whether a block may as well stand in two places."""
    if len(rest) != 1:
        return False
    only = rest[0]
    if isinstance(only, gast.Return):
        return only.value is None or isinstance(only.value, _ATOMS)
    return isinstance(only, (gast.Break, gast.Continue))


def _is_constant(value: Any) -> bool:
    if isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.USub):
        value = value.operand
    return value is None or isinstance(value, gast.Constant)

"""A `with` or `try` that is left by a jump: the jump waits until the block has been closed.

with open(path) as file:        returned = False
    if c:                       with open(path) as file:
        return x                    if c:
    y = f(file)                         result = x
return y + 1                            returned = True
                                    else:
                                        y = f(file)
                                if not returned:
                                    result = y + 1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast

from autodiff.errors import UnsupportedSyntaxError
from autodiff.normalize.build import assign, branch, constant, negated, shallow
from autodiff.normalize.structure.flags import Frame, any_of
from autodiff.normalize.sugar.grouping import may_suppress
from autodiff.syntax.origin import origin_of

if TYPE_CHECKING:
    from autodiff.normalize.structure.blocks import Structure

Statements = list[gast.stmt]


def entered(
    work: Structure, statement: Any, rest: Statements, tail: bool, frame: Frame | None
) -> Statements:
    """A `with` that is left by a jump."""
    origin = origin_of(statement)
    suppresses = may_suppress(statement)
    if not work.jumps.exits_of(statement):
        rest = []
    new = shallow(statement)
    is_value = tail and frame is None and work.result is not None
    before: Statements = []

    def make(at_tail: bool) -> Statements:
        work.protected += suppresses
        new.body = work.filled(work.block(statement.body, at_tail, frame), origin)
        work.protected -= suppresses
        return [new]

    if rest or (is_value and suppresses and not work.is_fresh):
        return work.guarded(statement, lambda: make(False), rest, tail, frame)
    if is_value and suppresses:
        before = [assign(str(work.result), constant(None), origin)]
    return before + make(tail)


def tried(
    work: Structure, statement: Any, rest: Statements, tail: bool, frame: Frame | None
) -> Statements:
    """A `try` that is left by a jump; `else` runs only if the body came to its end."""
    origin = origin_of(statement)
    if work.jumps.of_block(statement.finalbody):
        raise UnsupportedSyntaxError(
            "a jump out of a finally block",
            origin,
            why="it would swallow the exception or the return that is under way",
            cure="move the return, break or continue after the try statement",
        )
    orelse = statement.orelse if work.jumps.exits(statement.body) else []
    if not work.jumps.exits_of(statement):
        rest = []
    asks = bool(orelse) and bool(work.jumps.of_block(statement.body))

    def make(at_tail: bool) -> Statements:
        new = shallow(statement)
        work.protected += 1
        body = work.block(statement.body, at_tail and not orelse, frame)
        work.protected -= 1
        new.body = work.filled(body, origin)
        new.handlers = [work.handler(h, at_tail, frame) for h in statement.handlers]
        new.orelse = work.block(orelse, at_tail, frame) if orelse else []
        if asks:
            flags = work.flags_of(work.jumps.of_block(statement.body), frame)
            new.orelse = [branch(negated(any_of(flags)), new.orelse, [], origin)]
        if statement.finalbody:
            new.finalbody = work.filled(work.block(statement.finalbody, False, frame), origin)
        return [new]

    if rest or asks:
        return work.guarded(statement, lambda: make(False), rest, tail, frame)
    return make(tail)

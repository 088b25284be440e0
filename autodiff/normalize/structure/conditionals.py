"""An `if` that jumps: what follows it moves into the branch that does not.

if x < 0:                 if x < 0:
    return 0.0                result = 0.0
y = f(x)                  else:
return y                      y = f(x)
                              result = y
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast

from autodiff.errors import UnsupportedSyntaxError
from autodiff.normalize.build import assign, branch, constant, effect, negated, shallow
from autodiff.normalize.structure.flags import Frame, any_of, truth
from autodiff.normalize.sugar.grouping import may_suppress
from autodiff.normalize.sugar.predicates import is_pure
from autodiff.syntax.names import name
from autodiff.syntax.origin import Origin, origin_of
from autodiff.syntax.walk import clone

if TYPE_CHECKING:
    from autodiff.normalize.structure.blocks import Structure

Statements = list[gast.stmt]
_ATOMS = (gast.Name, gast.Constant)


def choice(
    work: Structure, statement: Any, rest: Statements, tail: bool, frame: Frame | None
) -> Statements:
    """An `if` that jumps: what follows goes into the branch that does not."""
    body, orelse = statement.body, statement.orelse
    body_falls, orelse_falls = work.jumps.exits(body), work.jumps.exits(orelse)
    if not body_falls:
        orelse, rest = [*orelse, *(rest if orelse_falls else [])], []
    elif not orelse_falls:
        body, rest = [*body, *rest], []
    elif _is_small(rest):
        body, orelse, rest = [*body, clone(rest[0])], [*orelse, *rest], []
    if rest:
        return work.guarded(
            statement,
            lambda: _decided(work, statement, body, orelse, False, frame),
            rest,
            tail,
            frame,
        )
    return _decided(work, statement, body, orelse, tail, frame)


def _decided(
    work: Structure,
    statement: Any,
    body: Statements,
    orelse: Statements,
    tail: bool,
    frame: Frame | None,
) -> Statements:
    """`if test: body else: orelse`; a test that says whether to leave the loop is the flag."""
    origin = origin_of(statement)
    test = statement.test
    if frame and _only_leaves(work, body, frame):
        return _leaving(work, test, body, orelse, tail, frame, origin)
    if frame and _only_leaves(work, orelse, frame):
        return _leaving(work, negated(test), orelse, body, tail, frame, origin)
    body, orelse = work.block(body, tail, frame), work.block(orelse, tail, frame)
    if body or orelse:
        return [branch(test, body, orelse, origin)]
    return [] if is_pure(test) else [effect(test, origin)]


def _only_leaves(work: Structure, body: Statements, frame: Frame) -> bool:
    """Whether the block runs to its end and there leaves the loop, come what may."""
    if not body or not isinstance(body[-1], (gast.Break, gast.Return)):
        return False
    if work.jumps.of_block(body[:-1]) or not work.jumps.exits(body[:-1]):
        return False
    # An exception on the way to the jump would leave the flag up.
    if isinstance(body[-1], gast.Break):
        return len(body) == 1 or work.protected == frame.protected
    return work.protected == 0


def _leaving(
    work: Structure,
    test: gast.expr,
    body: Statements,
    orelse: Statements,
    tail: bool,
    frame: Frame,
    origin: Origin | None,
) -> Statements:
    """`stop = test`, then what is done before leaving, else the other branch."""
    last = body[-1]
    first = work.block(body[:-1], False, frame)
    if isinstance(last, gast.Return):
        first.extend(work.value(last))
        if frame.exit != work.returned():
            first.append(assign(work.returned(), constant(True), origin_of(last)))
    others = work.block(orelse, tail, frame)
    made: Statements = [assign(frame.exit, truth(test), origin)]
    if first or others:
        made.append(branch(name(frame.exit), first, others, origin))
    return made


def _is_small(rest: Statements) -> bool:
    """Whether a block may as well stand in two places."""
    if len(rest) != 1:
        return False
    only = rest[0]
    if isinstance(only, gast.Return):
        return only.value is None or isinstance(only.value, _ATOMS)
    return isinstance(only, (gast.Break, gast.Continue))


def entered(
    work: Structure, statement: Any, rest: Statements, tail: bool, frame: Frame | None
) -> Statements:
    """A `with` that is left by a jump, which waits until the block has been closed.

    before: `with open(path) as file: if c: return x`, `return y`
    after: `with ...: if c: result = x; returned = True`, `if not returned: result = y`
    """
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

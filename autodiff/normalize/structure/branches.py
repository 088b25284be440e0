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

from autodiff.normalize.build import assign, branch, constant, effect, negated
from autodiff.normalize.structure.flags import Frame, truth
from autodiff.normalize.sugar.forms import is_pure
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

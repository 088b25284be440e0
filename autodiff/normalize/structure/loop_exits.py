"""A loop left by `break` or `return`: the flag, what follows the loop, and where flags are cleared.

for v in xs:                    returned = False
    if v > 0:                   for v in xs:
        return v                    returned = v > 0
return f(xs)                        if returned:
                                        result = v
                                    if returned:
                                        break
                                if not returned:
                                    result = f(xs)
                                return result
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast

from autodiff.normalize.build import assign, at, branch, constant, negated, shallow
from autodiff.normalize.structure.flags import Frame
from autodiff.normalize.structure.jumps import BREAK, RETURN, always_assigns
from autodiff.syntax.names import name
from autodiff.syntax.origin import origin_of

if TYPE_CHECKING:
    from autodiff.normalize.structure.blocks import Structure

Statements = list[gast.stmt]


def loop(
    work: Structure, statement: Any, rest: Statements, tail: bool, frame: Frame | None
) -> Statements:
    """A loop that stops at the end of its body, its `else`, and what follows it."""
    jump = work.jumps.of_block(statement.body)
    named = not statement.orelse and _ends_with_named_break(work, statement.body)
    if jump & (BREAK | RETURN) and not named:
        return _left_loop(work, statement, rest, tail, frame)
    new = shallow(statement)
    new.orelse = []
    if named:
        new.body = [*work.block(statement.body[:-1], False, frame), statement.body[-1]]
    else:
        inner = Frame("", frame.depth + 1 if frame else 0, work.protected)
        new.body = work.filled(work.block(statement.body, True, inner), origin_of(statement))
    if not work.jumps.exits_of(statement):
        return [new]
    return [new, *work.block([*statement.orelse, *rest], tail, frame)]


def _ends_with_named_break(work: Structure, body: Statements) -> bool:
    """Whether the one jump is `if NAME: break` at the end, which is the form wanted."""
    last: Any = body[-1]
    return (
        isinstance(last, gast.If)
        and isinstance(last.test, gast.Name)
        and not last.orelse
        and len(last.body) == 1
        and isinstance(last.body[0], gast.Break)
        and not work.jumps.of_block(body[:-1])
    )


def _early_value(work: Structure, rest: Statements) -> gast.expr | None:
    """What a loop that may return leaves to return otherwise, if that can be set beforehand."""
    if work.result is None or not work.is_fresh:
        return None
    if not rest:
        return constant(None)
    last = rest[0]
    if isinstance(last, gast.Return) and _is_constant(last.value):
        return last.value or constant(None)
    return None


def _left_loop(
    work: Structure, loop: Any, rest: Statements, tail: bool, frame: Frame | None
) -> Statements:
    """The loop with one `if flag: break` at the end of its body, and what follows it."""
    origin = origin_of(loop)
    jump = work.jumps.of_block(loop.body)
    returned = work.returned() if jump & RETURN else None
    depth = frame.depth + 1 if frame else 0
    flag = work.flags.named("stop", depth) if jump & BREAK else work.returned()
    inner = Frame(flag, depth, work.protected)
    clears = returned is not None and returned not in work.cleared
    if clears:
        work.cleared.add(work.returned())
    new = _with_body(work, loop, inner)
    following, before = _following(work, loop, rest, tail, frame, inner, returned)
    if clears:
        work.cleared.discard(work.returned())
    is_set = always_assigns(new.body, flag)
    if flag != returned and (inner.is_read or not is_set):
        before.append(assign(flag, constant(False), origin))
    if clears and (inner.is_read or inner.is_returned_read or flag != returned or not is_set):
        before.append(assign(work.returned(), constant(False), origin))
    return [*before, new, *following]


def _with_body(work: Structure, loop: Any, inner: Frame) -> Any:
    origin = origin_of(loop)
    new = loop.__class__.__new__(loop.__class__)
    new.__dict__.update(loop.__dict__)
    new.orelse = []
    out = [at(gast.Break(), origin)]
    new.body = [*work.block(loop.body, True, inner), branch(name(inner.exit), out, [], origin)]
    return new


def _following(
    work: Structure,
    loop: Any,
    rest: Statements,
    tail: bool,
    frame: Frame | None,
    inner: Frame,
    returned: str | None,
) -> tuple[Statements, Statements]:
    """What comes after the loop, and what has to come before it for that."""
    origin = origin_of(loop)
    if not work.jumps.exits_of(loop):
        return _passed_on(work, frame, inner, returned, [], loop), []
    if loop.orelse and returned != inner.exit:
        inner.is_read = True
        rest = [branch(negated(name(inner.exit)), loop.orelse, [], origin), *rest]
    elif loop.orelse:
        rest = [*loop.orelse, *rest]
    if returned is None:
        return work.block(rest, tail, frame), []
    value = _early_value(work, rest) if tail and frame is None else None
    if value is not None:
        return [], [assign(str(work.result), value, origin)]
    following = work.block(rest, tail, frame)
    return _passed_on(work, frame, inner, returned, following, loop), []


def _passed_on(
    work: Structure,
    frame: Frame | None,
    inner: Frame,
    returned: str | None,
    following: Statements,
    loop: Any,
) -> Statements:
    """A `return` leaves the loops around as well; only without one does what follows run."""
    origin = origin_of(loop)
    if returned is None:
        return following
    if frame is not None:
        inner.is_returned_read = True
        if frame.exit != returned:
            leave: Statements = [assign(frame.exit, constant(True), origin)]
            return [branch(name(returned), leave, following, origin)]
    if not following:
        return []
    inner.is_returned_read = True
    return [branch(negated(name(returned)), following, [], origin)]


def _is_constant(value: Any) -> bool:
    if isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.USub):
        value = value.operand
    return value is None or isinstance(value, gast.Constant)

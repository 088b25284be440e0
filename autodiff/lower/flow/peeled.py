"""The first iteration of a loop apart, where a variable is of another form before it than after.

    before: last = None                        after: last = None
            for i in range(n):                        if 0 < n:
                if last is not None: ...                  i = 0; ...; last = x[i]
                last = x[i]                               for i in range(1, n): ...; last = x[i]

Twice at most, where it is not known how often the loop runs: what still changes its form then does
so in each iteration. Else the loop is written out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autodiff.core import Again, Value
from autodiff.frontend.source import MARK
from autodiff.kinds.kind import Array, Numeric, Scalar
from autodiff.lower.entries.above import Frame, Unit
from autodiff.lower.entries.entry import Box, Entry, Pack
from autodiff.normalize.build import assign, at, call, compare, negated
from autodiff.syntax.names import name
from autodiff.syntax.walk import clone

OFTEN = 2
"""So many iterations stand apart."""
KNOWN = 12
"""So many of a loop of which it is known how often it runs."""


Peeled = tuple[list[gast.stmt], gast.stmt]
"""The statements in place of a loop, and the loop among them that runs what is left."""


def range_peeled(
    frame: Frame, node: gast.For, over: gast.expr, backwards: bool, reason: Again
) -> Peeled:
    """A loop over a range, its first iteration apart."""
    assert isinstance(over, gast.Call)
    origin = getattr(node, "origin", None)
    before: list[gast.stmt] = []
    bounds: list[gast.expr] = []
    for own, part in zip(("start", "stop", "step"), _three(over.args)):
        if _whole(part) is None:
            own = frame.temporary(own)
            frame.local.add(own)
            before.append(assign(own, part, origin))
            part = name(own)
        bounds.append(part)
    start, stop, step = bounds
    by = _whole(step)
    if not by or backwards and by != 1:
        raise reason
    if backwards:
        whole = call(f"{MARK}range", start, _moved(stop, -1))
        first, rest = _moved(stop, -1), call(f"{MARK}reversed", whole)
    else:
        further = [] if by == 1 else [step]
        first, rest = start, call(f"{MARK}range", _moved(start, by), stop, *further)
    again = at(gast.For(clone(node.target), rest, list(map(clone, node.body)), [], None), origin)
    once = [assign(clone(node.target), first, origin), *_iteration(node.body, again)]
    test = compare(start, gast.Lt() if by > 0 else gast.Gt(), stop)
    return [*before, at(gast.If(test=test, body=once, orelse=[]), origin)], again


def while_peeled(node: gast.While, reason: Again) -> Peeled:
    """A loop as long as a test is true, its first iteration apart."""
    if reason.whose is None:
        raise reason
    origin = getattr(node, "origin", None)
    again = at(
        gast.While(test=clone(node.test), body=list(map(clone, node.body)), orelse=[]), origin
    )
    once = _iteration(node.body, again)
    return [at(gast.If(test=clone(node.test), body=once, orelse=[]), origin)], again


def _iteration(body: list[gast.stmt], again: gast.stmt) -> list[gast.stmt]:
    """One iteration, and the loop behind it unless that one leaves it."""
    own, leaves = ending(list(map(clone, body)))
    if leaves is None:
        return [*own, again]
    stays = gast.If(test=negated(leaves), body=[again], orelse=[])
    return [*own, at(stays, getattr(body[-1], "origin", None))]


def ending(body: list[gast.stmt]) -> tuple[list[gast.stmt], gast.expr | None]:
    """The body of a loop without the `if NAME: break` at its end, and what that asks."""
    *before, end = body
    leaves = isinstance(end, gast.If) and isinstance(end.body[0], gast.Break)
    return (before, end.test) if leaves else (body, None)


def _three(parts: list[gast.expr]) -> tuple[gast.expr, gast.expr, gast.expr]:
    zero, one = (gast.Constant(value=value, kind=None) for value in (0, 1))
    if len(parts) == 1:
        return zero, parts[0], one
    return parts[0], parts[1], parts[2] if len(parts) > 2 else one


def _whole(node: gast.expr) -> int | None:
    """The whole number that is written."""
    sign = 1
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
        node, sign = node.operand, -1
    if isinstance(node, gast.Constant) and type(node.value) is int:
        return sign * node.value
    return None


def is_backwards(index: Any) -> bool:
    """Whether brackets hold `::-1`."""
    whole = isinstance(index, gast.Slice) and index.lower is None and index.upper is None
    return whole and _whole(index.step) == -1


def trips(frame: Frame, node: Any, is_length: Callable[[Any], bool]) -> int | None:
    """How many items a range has, if that is known. is_length: whether a bound calls `len`."""
    names = frame.names

    def bound(node: Any) -> Any:
        if is_length(node):
            return _count(names.get(getattr(node.args[0], "id", "")))
        held = names.get(node.id) if isinstance(node, gast.Name) else None
        return held.constant if isinstance(held, Value) else _whole(node)

    known = [each for each in map(bound, node.args) if type(each) is int]
    whole = len(known) == len(node.args) and known[2:] != [0]  # which is an error
    return len(range(*known)) if whole else None


def _count(held: Entry | None) -> Any:
    """How many items something has, if that is known."""
    if isinstance(held, Pack):
        return len(held.items)
    if isinstance(held, Box) and held.cls in (list, tuple) and held.memory is None:
        return len(held.slots)
    shape = held.kind.shape if isinstance(held, Value) and isinstance(held.kind, Array) else ()
    return shape[0] if shape else None


def _moved(node: gast.expr, by: int) -> gast.expr:
    """A bound further on."""
    own = _whole(node)
    if own is not None:
        return _written(own + by)
    return gast.BinOp(left=node, op=gast.Add() if by > 0 else gast.Sub(), right=_written(abs(by)))


def _written(number: int) -> gast.expr:
    made = gast.Constant(value=abs(number), kind=None)
    return made if number >= 0 else gast.UnaryOp(op=gast.USub(), operand=made)


def begin_apart(unit: Unit, name: str, old: Entry) -> None:
    """An update of a number or an array: one is replaced, the other changed. Where a loop begins
    with a number, its first iteration is apart.
    """
    for loop in reversed(unit.repeating):
        before = loop.before.names.get(name)
        if name in loop.known and isinstance(before, Value) and isinstance(before.kind, Scalar):
            if isinstance(old, Value) and isinstance(old.kind, Numeric):
                raise Again("an update of a number or an array", loop.key)

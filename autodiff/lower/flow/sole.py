"""A result that is a number on some paths only: the others are left out.

if x < 0:                           if not x < 0:
    return x * x                        raise Untaken("a result that is no number")
"""

from __future__ import annotations

import gast

from autodiff.core import If, NotYet, Raises, Spot, Untaken, Value, noted
from autodiff.errors import NonDifferentiableError
from autodiff.frontend.source import MARK
from autodiff.kinds.kind import Array, Numeric, Scalar
from autodiff.lower.entries import Entry, Mixed
from autodiff.lower.entries.above import Statements
from autodiff.lower.flow.branches import left, parted, raising
from autodiff.lower.flow.heap import Mark, inside, restore, snapshot
from autodiff.lower.flow.join import join
from autodiff.normalize.build import at, call
from autodiff.normalize.build import constant as written
from autodiff.syntax.origin import origin_of


def sole(statements: Statements, entry: Entry) -> Entry:
    """The number that a function returns, if it returns anything else only where it is told."""
    unit = statements.unit
    entry = unit.facts.known(entry) if isinstance(entry, Mixed) else entry
    if not unit.leaving or not isinstance(entry, Mixed) or entry.test is None:
        return entry
    good = is_number(entry.one), is_number(entry.other)
    if not any(good):
        return entry
    if all(good):
        return united(statements, entry, entry.test)
    builder = statements.builder
    op = If(entry.test, builder.origin)
    inner = builder.inside(op.blocks[good[0]])
    inner.add(raising(statements, Raises(Untaken, left(unit, no_number(statements)))))
    builder.add(op)
    unit.facts.assume(entry.test, good[0])
    return sole(statements, statements.sure(unit.facts.known(entry)))


def united(statements: Statements, entry: Mixed, test: Value) -> Entry:
    """One number of two, each of which is returned on some paths only."""
    frame, origin = statements.frame, statements.builder.origin
    own, ends = frame.temporary("result"), []
    mark, op = Mark(frame), If(test, origin)
    for block, truth in zip(op.blocks, (True, False)):
        restore(frame, mark.heap)
        frame.builder = mark.builder.inside(block)
        with inside(frame, mark.heap), statements.unit.facts.given(test, truth):
            frame.names[own] = sole(statements, entry)
        ends.append(snapshot(frame))
    mark.back()
    join(frame, op, [own], ends)
    frame.builder.add(op)
    for value in op.results:
        value.block = op.block
    return frame.names.pop(own)


def is_number(entry: Entry) -> bool:
    """Whether something is a number or an array, on some path."""
    if isinstance(entry, Mixed):
        return is_number(entry.one) or is_number(entry.other)
    return isinstance(entry, Value) and isinstance(entry.kind, (Array, Numeric, Scalar))


def no_number(statements: Statements) -> NotYet:
    """What is said where the path is reached."""
    tree = statements.frame.tree
    words = NonDifferentiableError(
        f"`{tree.name}` returns no number for these arguments",
        why="a derivative is one of a number, which it returns on other paths",
        cure="return a number on every path, or raise an error",
    )
    found = NotYet("a result that is no number", words)
    noted(found, Spot(None, origin_of(tree), tree.name))
    return found


def something(statements: Statements, entry: Entry) -> Entry:
    """What a derivative is taken of: where the function returns None, that is an error.

    if x < 0:                       if x < 0:
        return None                     raise TypeError("a derivative is of ... None here")
    """
    if not isinstance(entry, Mixed) or entry.test is None:
        return entry
    nothing = [isinstance(e, Value) and e.constant is None for e in (entry.one, entry.other)]
    if nothing[0] is nothing[1]:
        return entry
    text = written("a derivative is of what a function returns, which is None here")
    stop = [at(gast.Raise(exc=call(f"{MARK}TypeError", text), cause=None), None)]
    sides = (stop, [gast.Pass()]) if nothing[0] else ([gast.Pass()], stop)
    parted(statements, gast.If(text, *sides), entry.test)
    return statements.sure(statements.unit.facts.known(entry))

"""A result that is a number on some paths only: the others are left out.

if x < 0:                           if not x < 0:
    return x * x                        raise Untaken("a result that is no number")
"""

from __future__ import annotations

from autodiff.analysis.kind import Array, Numeric, Scalar
from autodiff.core import If, NotYet, Raises, Spot, Untaken, Value, noted
from autodiff.errors import NonDifferentiableError
from autodiff.lower.entries import Entry, Mixed
from autodiff.lower.entries.above import Statements
from autodiff.lower.flow.branches import left, raising
from autodiff.syntax.origin import origin_of


def sole(statements: Statements, entry: Entry) -> Entry:
    """The number that a function returns, if it returns anything else only where it is told."""
    unit, builder = statements.unit, statements.builder
    entry = unit.facts.known(entry) if isinstance(entry, Mixed) else entry
    while unit.leaving and isinstance(entry, Mixed) and entry.test is not None:
        good = [is_number(side) for side in (entry.one, entry.other)]
        if good[0] is good[1]:
            break
        op = If(entry.test, builder.origin)
        inner = builder.inside(op.blocks[good[0]])
        statements.frame.builder = inner
        inner.add(raising(statements, Raises(Untaken, left(unit, no_number(statements)))))
        statements.frame.builder = builder
        builder.add(op)
        unit.facts.assume(entry.test, good[0])
        entry = statements.sure(unit.facts.known(entry))
    return entry


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

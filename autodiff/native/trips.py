"""How often a statement runs, as far as that is known before its loops are entered."""

from __future__ import annotations

from typing import TypeAlias

import gast

from autodiff.kinds.kind import Array, Scalar, Static
from autodiff.native.native_kinds import NativeKinds, is_range
from autodiff.syntax.names import reads, writes
from autodiff.syntax.quote import quote

Loop: TypeAlias = gast.For | gast.While | gast.If


def trips(around: list[Loop], known: NativeKinds) -> tuple[gast.stmt | None, list[gast.expr]]:
    """The outermost loop before which it is known how often a statement inside runs, and how often
    each of the loops does.

    `around` are the loops and branches around the statement, from outside. None where not even one
    loop is known. Under a branch there may be one loop only: for more of them memory would be
    reserved that is never used. So nothing is known of a loop that may be left early: its range may
    be longer than memory.

        for k in range(n):                  before k: len(range(n)), len(range(m))
            for i in range(m):
                ...
    """
    if any(isinstance(node, gast.If) for node in around):
        if sum(1 for node in around if not isinstance(node, gast.If)) > 1:
            return None, []
    first: gast.stmt | None = None
    counts: list[gast.expr] = []
    branch = False
    for node in reversed(around):
        if isinstance(node, gast.If):
            branch = True
            continue
        if not isinstance(node, gast.For) or not is_range(node.iter) or trailing_break(node):
            break
        if first is not None and (branch or reads(counts) & writes([node])):
            break
        if first is not None and any(_grows(name, known) for name in reads(counts)):
            break
        if not all(map(_stays, node.iter.args)):
            break
        counts.insert(0, trips_of(node.iter))
        first = node
        if branch:
            break
    return first, counts


def trips_of(call: gast.Call) -> gast.expr:
    """How many numbers a range has."""
    [first, *rest] = call.args
    if not rest and (_is_length(first) or _is_count(first)):
        return first
    return quote("len(r)", r=call)


def _is_count(node: gast.expr) -> bool:
    """Whether it is a whole number that is written out, and not negative."""
    return isinstance(node, gast.Constant) and type(node.value) is int


def _is_length(node: gast.expr) -> bool:
    """Whether it is the length of something, or of an axis: a number that is not negative."""
    if isinstance(node, gast.Subscript):
        return isinstance(node.value, gast.Attribute) and node.value.attr == "shape"
    named = isinstance(node, gast.Call) and isinstance(node.func, gast.Name)
    return named and node.func.id == "len"


def _grows(identifier: str, known: NativeKinds) -> bool:
    """Whether a length may change as long as the name is not assigned: it is no array's."""
    return not isinstance(known.names.get(identifier), (Array, Scalar, Static, type(None)))


def _stays(node: gast.expr) -> bool:
    """Whether an expression means the same as long as the names in it are not assigned."""
    if isinstance(node, gast.BinOp):
        return _stays(node.left) and _stays(node.right)
    if isinstance(node, gast.UnaryOp):
        return _stays(node.operand)
    if isinstance(node, gast.Call):
        called = isinstance(node.func, gast.Name) and node.func.id == "len"
        return called and all(isinstance(argument, gast.Name) for argument in node.args)
    if isinstance(node, gast.Subscript):
        return isinstance(node.value, gast.Attribute) and node.value.attr == "shape"
    return isinstance(node, (gast.Name, gast.Constant))


def trailing_break(statement: gast.For | gast.While) -> gast.If | None:
    """The `if stop: break` that may end a loop body."""
    if not statement.body:
        return None
    last = statement.body[-1]
    if isinstance(last, gast.If) and len(last.body) == 1 and isinstance(last.body[0], gast.Break):
        return last
    return None

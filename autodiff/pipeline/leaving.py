"""Loops that may leave an iterator before its end, while others take of its items, too.

    it_seq = sequence(it)                 takes all items
    for j in range(len(it_seq)):          but this loop not
        ...
        if stop:
            break
    rest = sequence(it)                   in which there are none

Such a `sequence(it)` becomes `sequence(it, partly=True)`, which refuses iterators when it runs: for
most of them no kind tells what they are.
"""

from __future__ import annotations

from collections.abc import Callable

import gast

from autodiff.analysis.kind import (
    Array,
    Derived,
    Kind,
    Local,
    OneOf,
    Record,
    Scalar,
    Sequence,
    Span,
    Static,
    Text,
)
from autodiff.analysis.known import Kinds
from autodiff.analysis.taken_once import taken_once
from autodiff.normalize.build import constant
from autodiff.normalize.structure.jumps import BREAK, RETURN, Jumps
from autodiff.syntax.names import reads, writes
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import of_class, same, shallow


def leaving(tree: gast.FunctionDef, known: Kinds) -> Callable[[gast.expr], gast.expr | None]:
    """What stands for a `sequence(it)`: the call that refuses iterators; None where it may stay."""
    once = taken_once(tree)
    made: dict[str, list[gast.expr]] = {}
    targets: dict[int, str] = {}
    for node in of_class(tree, gast.Assign):
        for own in writes(node):
            made.setdefault(own, []).append(node.value)
            targets[id(node.value)] = own

    def is_new(own: str, asked: frozenset[str] = frozenset()) -> bool:
        """Whether nothing else takes of the items, if the name is of an iterator at all."""
        if own not in once or own not in made or own in asked:
            return False
        return all(is_made(value, asked | {own}) for value in made[own])

    def is_made(value: gast.expr, asked: frozenset[str] = frozenset()) -> bool:
        """Whether an iterator is made here, of nothing that others take of."""
        if not isinstance(value, (gast.Call, gast.GeneratorExp)):
            return False
        given = [node.id for node in of_class(value, gast.Name) if _may_give(known.of(node))]
        return all(is_new(other, asked) for other in given)

    def checked(value: gast.expr) -> gast.expr | None:
        own = targets.get(id(value))
        if not isinstance(value, gast.Call) or own is None or not _may_leave(tree, own):
            return None
        [iterable] = value.args
        if not _may_give(known.of(iterable)):
            return None
        if is_new(iterable.id) if isinstance(iterable, gast.Name) else is_made(iterable):
            return None
        new = shallow(value)
        new.keywords = [gast.keyword(arg="partly", value=constant(True))]
        return new

    return checked


def _may_give(kind: Kind | None) -> bool:
    """Whether a value may be an iterator, or hold one, as far as its kind tells."""
    if isinstance(kind, (Scalar, Array, Text, Span, Local, Derived, OneOf)):
        return False
    if isinstance(kind, Static):
        return hasattr(type(kind.value), "__next__")
    if isinstance(kind, (Record, Sequence)):
        items = kind.items if isinstance(kind, Record) else (kind.item,)
        return hasattr(kind.cls, "__next__") or any(map(_may_give, items))
    return True


def _may_leave(tree: gast.FunctionDef, own: str) -> bool:
    """Whether anything that goes over the items of a list may end before they do."""
    lengths = [
        call
        for call in of_class(tree, gast.Call)
        if isinstance(call.func, gast.Name) and call.func.id == "len" and own in reads(call.args)
    ]
    whole = quote("range(len(own))", own=own), quote("reversed(range(len(own)))", own=own)
    jumps = Jumps()
    to_end = [
        loop
        for loop in of_class(tree, gast.For)
        if any(same(loop.iter, each) for each in whole)
        and not jumps.of_block(loop.body) & (BREAK | RETURN)
    ]
    return len(lengths) > len(to_end) or bool(lengths and of_class(tree, gast.Try, gast.With))

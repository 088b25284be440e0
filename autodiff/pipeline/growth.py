"""Loops over lists that their bodies make longer or shorter, under whatever name.

    for i in range(len(xs_seq)):        position = 0
        v = xs_seq[i]                   while position < len(xs_seq):
        queue.append(v * v)                 i = position
                                            position = position + 1
                                            v = xs_seq[i]
                                            queue.append(v * v)

Python asks a list for its next item each time. Where the list is changed by its own name, `desugar`
sees that; other names, attributes and helpers are known after inlining.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import gast

from autodiff.analysis.alias import alias
from autodiff.analysis.changes import changed_by
from autodiff.analysis.kind import (
    UNKNOWN,
    Array,
    Kind,
    Mapping,
    Numeric,
    Record,
    Scalar,
    Sequence,
    Span,
    Static,
    Text,
)
from autodiff.analysis.known import Kinds
from autodiff.normalize.build import assign, compare, constant, plus, repeat
from autodiff.normalize.rebind import shared, within
from autodiff.pipeline.unit import Unit
from autodiff.runtime import sequence, zip_length
from autodiff.syntax.names import name
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import of_class, walk
from autodiff.syntax.windows import root

_COMPOUND = (gast.If, gast.For, gast.While, gast.With, gast.Try, gast.ExceptHandler)
_RESIZING = frozenset({"append", "extend", "insert", "pop", "remove", "clear"})
_LEAVES = (Array, Numeric, Scalar, Span, Static, Text)


def growth(unit: Unit, known: Kinds) -> bool:
    """Let the loops over lists that may change their length ask for it; whether there were any."""
    if not of_class(unit.tree, gast.For):
        return False
    seen = _sequences(unit.tree, known) & unit.temporaries
    aliases = cache(lambda: alias(unit.tree, known))

    def block(statements: list[gast.stmt]) -> list[gast.stmt]:
        return shared([part for s in statements for part in one(s)], statements)

    def one(statement: gast.stmt) -> list[gast.stmt]:
        if isinstance(statement, _COMPOUND):
            statement = within(statement, block)
        if isinstance(statement, gast.For) and grows(statement):
            return _asking(statement, unit)
        return [statement]

    def grows(loop: gast.For) -> bool:
        if getattr(known.of(getattr(loop.iter, "func", loop.iter)), "value", None) is not range:
            return False  # backwards a loop meets nothing that comes at the end
        listed = [(n, kind) for n, kind in _lengths(loop, seen, known) if _may_be_list(kind)]
        return bool(listed) and any(
            _may_be_one(kind, own) and aliases().may_be_one(base, n)
            for base, own in _resized(loop.body, known)
            for n, kind in listed
        )

    new = within(unit.tree, block)
    changed = new is not unit.tree
    unit.tree = new
    return changed


def _sequences(tree: gast.FunctionDef, known: Kinds) -> set[str]:
    """The names of what loops go over; in the user's own `range(len(xs))` there is none.

    In a gradient that is differentiated again they are no temporaries: its ranges are meant.
    """
    found = set()
    for node in of_class(tree, gast.Assign):
        if isinstance(node.value, gast.Call) and isinstance(node.targets[0], gast.Name):
            operation = known.call_operation(node.value)
            if operation is not None and operation.function is sequence:
                found.add(node.targets[0].id)
    return found


def _lengths(loop: gast.For, seen: set[str], known: Kinds) -> Iterator[tuple[str, Kind]]:
    """The lists whose lengths a loop asks for at its beginning, with their kinds."""
    for node in walk(loop.iter):
        if not isinstance(node, gast.Call) or len(node.args) != 1:
            continue
        own = node.args[0]
        if not isinstance(own, gast.Name):
            continue
        function = getattr(known.of(node.func), "value", None)
        kind = known.known(own)
        if function is len and own.id in seen:
            yield own.id, kind
        elif function is zip_length:
            items = kind.items if isinstance(kind, Record) else (getattr(kind, "item", UNKNOWN),)
            for item in items:
                yield own.id, item


def _resized(body: list[gast.stmt], known: Kinds) -> Iterator[tuple[str, Kind]]:
    """The names under which a block may change the length of a list, with the kind of the list."""
    for node in walk(body):
        changed: list[Any] = []
        if isinstance(node, gast.Call):
            if isinstance(node.func, gast.Attribute) and node.func.attr in _RESIZING:
                changed.append(node.func.value)
            changed.extend(map(name, changed_by(node, known)))
        elif isinstance(node, gast.AugAssign) and isinstance(node.op, (gast.Add, gast.Mult)):
            changed.append(node.target)
        elif isinstance(node, gast.Subscript) and not isinstance(node.ctx, gast.Load):
            if isinstance(node.ctx, gast.Del) or isinstance(node.slice, gast.Slice):
                changed.append(node.value)
        for target in changed:
            base = root(target)
            kind = known.known(target)
            if base is not None and _may_be_list(kind):
                yield base, kind


def _may_be_list(kind: Kind) -> bool:
    if isinstance(kind, (Record, Sequence)):
        return kind.cls is list or not issubclass(kind.cls, (tuple, dict))
    return not isinstance(kind, (*_LEAVES, Mapping))


def _may_be_one(left: Kind, right: Kind) -> bool:
    """Whether lists of two kinds may be one list: not where one holds numbers, the other lists."""
    sides = [_holds_leaves(left), _holds_leaves(right)]
    return None in sides or sides[0] == sides[1]


def _holds_leaves(kind: Kind) -> bool | None:
    """Whether a list holds numbers and arrays, or else lists; None where it may be either."""
    if not isinstance(kind, (Record, Sequence)) or kind.cls is not list:
        return None
    items = kind.items if isinstance(kind, Record) else (kind.item,)
    leaves = [isinstance(item, _LEAVES) for item in items]
    lists = [isinstance(item, (Mapping, Record, Sequence)) for item in items]
    if leaves and all(leaves):
        return True
    return False if lists and all(lists) else None


def _asking(loop: gast.For, unit: Unit) -> list[gast.stmt]:
    """The loop as one that asks for the length each time."""
    origin = origin_of(loop)
    position = unit.names.fresh("position")
    unit.temporaries.add(position)
    test = compare(name(position), gast.Lt(), loop.iter.args[0])
    body = [
        assign(loop.target, name(position), origin),
        assign(position, plus(name(position), constant(1)), origin),
        *loop.body,
    ]
    made = [assign(position, constant(0), origin), repeat(test, body, loop.orelse, origin)]
    for statement in (*made, *body[:2]):
        gast.copy_location(statement, loop)
    return made

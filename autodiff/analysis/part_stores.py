"""What statements put into the parts of objects, before `rewriting` makes assignments of them.

    st["u"] = table        the variable that holds the part "u" of `st` is also a `table`

Until then the text does not say that this variable changes, so its kind would be that of the first
value, and what is read through it would be taken from the first object that it held.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from autodiff.analysis.kind import UNKNOWN, Kind, Record, Static
from autodiff.analysis.known import Kinds
from autodiff.analysis.objects import Parts, part_name


def stored_parts(kinds: Kinds, statement: gast.stmt) -> Iterator[tuple[str, Kind]]:
    """The variables of parts that a statement gives a value, each with the kind of that."""
    if isinstance(statement, gast.Expr):
        yield from _put(kinds, statement.value)
        return
    if isinstance(statement, gast.AugAssign):
        target = statement.target
        old = gast.Subscript if isinstance(target, gast.Subscript) else gast.Attribute
        if not isinstance(target, (gast.Subscript, gast.Attribute)):
            return
        fields = {field: getattr(target, field) for field in target._fields}
        read = old(**{**fields, "ctx": gast.Load()})
        value: gast.expr = gast.BinOp(left=read, op=statement.op, right=statement.value)
    elif isinstance(statement, gast.Assign):
        target, value = statement.targets[0], statement.value
    else:
        return
    found = part_name(kinds, target)
    kind = None if found is None else kinds.of(value)
    if found is not None and kind is not None:
        yield from _held(kinds, *found, kind)


def _held(kinds: Kinds, own: Parts, key: Any, kind: Kind) -> Iterator[tuple[str, Kind]]:
    variable = kinds.scope.objects[own.owner].fields.get(key)
    if variable is not None:
        yield variable, kind


def _put(kinds: Kinds, call: gast.expr) -> Iterator[tuple[str, Kind]]:
    """`setattr(p, "x", e)`, `object.__setattr__(p, "x", e)`, `d.update(other, x=e)`."""
    if not isinstance(call, gast.Call):
        return
    callee = kinds.of(call.func)
    if isinstance(callee, Static) and callee.value in (setattr, object.__setattr__):
        if len(call.args) == 3:
            base, key, kind = map(kinds.of, call.args)
            if isinstance(base, Parts) and isinstance(key, Static) and kind is not None:
                yield from _held(kinds, base, key.value, kind)
        return
    if not isinstance(call.func, gast.Attribute) or call.func.attr != "update":
        return
    base = kinds.of(call.func.value)
    if not isinstance(base, Parts) or base.cls is not dict:
        return
    for argument in call.args:
        yield from _updated(kinds, base, kinds.of(argument))
    for keyword in call.keywords:
        kind = kinds.of(keyword.value)
        if keyword.arg is not None and kind is not None:
            yield from _held(kinds, base, keyword.arg, kind)


def _updated(kinds: Kinds, base: Parts, source: Kind | None) -> Iterator[tuple[str, Kind]]:
    """What another dict puts in: its parts, or what nobody knows."""
    if isinstance(source, Parts):
        for key, variable in kinds.scope.objects[source.owner].fields.items():
            yield from _held(kinds, base, key, kinds.names.get(variable, UNKNOWN))
    elif isinstance(source, Record) and source.cls is dict:
        for key, kind in zip(source.keys, source.items):
            yield from _held(kinds, base, key, kind)
    elif source is not None:
        for key in kinds.scope.objects[base.owner].fields:
            yield from _held(kinds, base, key, UNKNOWN)

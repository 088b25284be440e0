"""The kinds of what containers hold, where items are put in under several names.

A container is one, whatever it is called: what is put in under one name is found under another. So
kinds of containers flow both ways through an assignment, `row = table[i]`, and a store widens the
kind of the items. Kinds only grow, so the rounds of `kinds` come to an end.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as Table
from contextlib import contextmanager
from typing import Any

import gast

from autodiff.analysis.forgetting import forget
from autodiff.analysis.indexing import indexing
from autodiff.analysis.joins import as_mapping, as_sequence, join, joined_keys
from autodiff.analysis.keys import key_of
from autodiff.analysis.kind import (
    UNKNOWN,
    Array,
    Kind,
    Mapping,
    Record,
    Sequence,
    any_key,
    forget_values,
    is_empty,
)
from autodiff.analysis.known import Kinds
from autodiff.analysis.objects import whole
from autodiff.analysis.stored import Stored, loosened
from autodiff.runtime import Slot, collected, shadow
from autodiff.syntax.names import reads, writes


class Contents:
    """Widens the kinds of containers of which some part is replaced."""

    def __init__(
        self,
        kinds: Kinds,
        changes: Stored,
        stored: frozenset[str],
        escaping: Table[str, set[str]],
    ) -> None:
        self.kinds = kinds
        self.changes = changes
        self.stored = stored
        self.escaping = escaping
        self.changed = False
        self.local: frozenset[str] = frozenset()
        kinds.filling = bool(stored)

    @contextmanager
    def inside(self, loop: gast.For | gast.While) -> Iterator[None]:
        """Sizes born in a loop differ from one iteration to the next, and so do items."""
        outer, self.local = self.local, self.local | writes(loop)
        yield
        self.local = outer

    # What is put in

    def widen(self, name: str, kind: Kind | None) -> None:
        """`name` holds a container that is also of this kind."""
        old = self.kinds.names.get(name)
        if kind is None or old is None or name not in self.stored or not holds(kind):
            return
        if holds(old):
            own, new = (self.changes.loosened(name, side) for side in (old, kind))
            self.keep(name, join(own, new))

    def widen_items(self, name: str, kind: Kind | None, key: gast.expr | None = None) -> None:
        """`name` holds a container with an item of this kind."""
        old = self.kinds.names.get(name)
        if kind is None or old is None or name not in self.stored:
            return
        kind = whole(self.kinds, kind)
        if name in self.changes.deep and holds(kind):
            kind = loosened(kind)
        kind = forget_values(kind)
        old = self.changes.loosened(name, old)
        if isinstance(old, Record) and issubclass(old.cls, tuple):
            position = None if key is None else key_of(key, self.kinds.of)
            if isinstance(position, int) and holds(kind) and -len(old.items) <= position:
                items = list(old.items)
                if position < len(items):
                    items[position] = join(items[position], kind)
                    self.keep(name, Record(old.cls, old.keys, tuple(items)))
        elif isinstance(old, Sequence) and old.cls is list:
            self.keep(name, Sequence(join(old.item, kind)))
        elif isinstance(old, Record) and old.cls is list:
            self.keep(name, Sequence(kind))
        elif isinstance(old, Mapping) or isinstance(old, Record) and old.cls is dict:
            found = UNKNOWN if key is None else any_key(self.kinds.known(key))
            if isinstance(old, Record):
                new = Mapping(kind, found)
            else:
                own = old.key if key is None else joined_keys(old.key, found)
                new = Mapping(join(old.item, kind), own, old.cls)
            self.keep(name, new)

    def keep(self, name: str, kind: Kind) -> None:
        owners = self.local | self.escaping.get(name, set())
        kind = forget(kind, set(owners)) if owners else kind
        if kind != self.kinds.names.get(name):
            self.kinds.names[name] = kind
            self.changed = True

    # Statements

    def assigned(self, statement: gast.Assign) -> None:
        target, value = statement.targets[0], statement.value
        if not self.stored:
            return
        if isinstance(target, gast.Subscript):
            if isinstance(target.value, gast.Name):
                self.put(target.value.id, value, target.slice)
        elif isinstance(target, gast.Tuple):
            for number, part in enumerate(target.elts):
                kind = self.kinds.names.get(part.id)
                if holds(kind):
                    for source in reads(value):
                        self.widen_items(source, kind, gast.Constant(value=number, kind=None))
        elif isinstance(target, gast.Name) and holds(self.kinds.names.get(target.id)):
            self.returned(target.id, value)
        if isinstance(value, gast.Call):
            self.filled(value)

    def put(self, base: str, value: gast.expr, key: gast.expr) -> None:
        """`xs[i] = e`: the item that `xs` has then, and what `e` has become where it is a list."""
        if isinstance(key, gast.Slice):
            items = as_sequence(self.kinds.known(value))
            kind = items.item if isinstance(items, Sequence) else self.iterated(items)
            if not is_empty(items):
                self.widen_items(base, kind)
            return
        self.widen_items(base, self.kinds.of(value), key)
        self.seen_in(base, value)

    def seen_in(self, base: str, value: gast.expr) -> None:
        if isinstance(value, gast.Name):
            own = self.kinds.names.get(base)
            if isinstance(own, (Sequence, Mapping)):
                self.widen(value.id, own.item)

    def iterated(self, kind: Kind) -> Kind:
        if isinstance(kind, Array) and kind.shape:
            return indexing(kind, gast.Constant(value=0, kind=None), self.kinds.of)
        return UNKNOWN

    def returned(self, name: str, value: gast.expr) -> None:
        """The value shares its containers with those it was taken from."""
        own = self.kinds.names[name]
        if isinstance(value, gast.Name):
            self.widen(value.id, own)
        elif isinstance(value, gast.IfExp):
            for side in (value.body, value.orelse):
                self.returned(name, side)
        elif isinstance(value, gast.Subscript) and isinstance(value.value, gast.Name):
            if isinstance(value.slice, gast.Slice):
                self.items_of(value.value.id, own)
            else:
                self.widen_items(value.value.id, own, value.slice)
        elif isinstance(value, (gast.Tuple, gast.List, gast.Dict)):
            parts = value.values if isinstance(value, gast.Dict) else value.elts
            for part in parts:
                if isinstance(part, gast.Name):
                    self.widen(part.id, item_of(own, parts.index(part)))
        elif isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute):
            base = value.func.value
            if isinstance(base, gast.Name) and value.func.attr in ("get", "pop", "setdefault"):
                self.widen_items(base.id, own, value.args[0] if value.args else None)
                for default in value.args[1:]:
                    if isinstance(default, gast.Name):
                        self.widen(default.id, own)
                return
            for source in reads(value):
                self.items_of(source, own)
        elif not self.is_of_another_form(value):
            for source in reads(value):
                self.items_of(source, own)

    def is_of_another_form(self, value: gast.expr) -> bool:
        """Whether a container is made for another one, but of none of what that holds."""
        operation = self.kinds.call_operation(value) if isinstance(value, gast.Call) else None
        return operation is not None and operation.function in (collected, shadow)

    def items_of(self, source: str, own: Kind) -> None:
        """A copy of a container holds what the original holds."""
        item = getattr(own, "item", None)
        if item is not None and holds(item) and holds(self.kinds.names.get(source)):
            self.widen_items(source, item)

    def called(self, call: gast.Call, base: str) -> None:
        """`xs.append(e)`, `xs.insert(i, e)`, `xs.extend(ys)`, `d.update(e)`."""
        method = call.func.attr
        if method in ("append", "insert"):
            self.widen_items(base, self.kinds.of(call.args[-1]))
            self.seen_in(base, call.args[-1])
        elif method == "extend":
            self.put(base, call.args[0], gast.Slice(lower=None, upper=None, step=None))
        elif method == "update":
            self.updated(base, call)
        else:
            self.filled(call)

    def updated(self, base: str, call: gast.Call) -> None:
        kind = self.kinds.of(call.args[0])
        table = None if kind is None else as_mapping(kind)
        if isinstance(table, Mapping):
            self.widen_items(base, table.item)
            own = self.kinds.names.get(base)
            if isinstance(own, Mapping):
                key = joined_keys(own.key, table.key)
                self.keep(base, Mapping(own.item, key, own.cls))
        elif kind is not None and not is_empty(kind):
            self.widen_items(base, UNKNOWN)

    def filled(self, call: gast.Call) -> None:
        """`d.setdefault(k, e)` puts `e` in."""
        function = call.func
        if not isinstance(function, gast.Attribute) or function.attr != "setdefault":
            return
        if isinstance(function.value, gast.Name) and len(call.args) == 2:
            self.widen_items(function.value.id, self.kinds.of(call.args[1]), call.args[0])
            self.seen_in(function.value.id, call.args[1])


def is_slot(kind: Any) -> bool:
    """Whether a kind is that of a slot, in a gradient that is differentiated again."""
    return isinstance(kind, Record) and kind.cls is Slot


def is_of_slots(kind: Any) -> bool:
    """Whether a shadow is a slot, or certainly holds slots and no arrays."""
    if isinstance(kind, (Sequence, Mapping)):
        return is_of_slots(kind.item)
    if isinstance(kind, Record) and kind.cls is not Slot:
        return all(map(is_of_slots, kind.items))
    return is_slot(kind)


def holds(kind: Any) -> bool:
    """Whether a kind is that of a list, dict or slot, or of a tuple in which one is."""
    if isinstance(kind, Record) and issubclass(kind.cls, tuple):
        return any(map(holds, kind.items))
    if isinstance(kind, Sequence) and kind.cls is not list:
        return holds(kind.item)
    return isinstance(kind, (Sequence, Mapping)) or (
        isinstance(kind, Record) and kind.cls in (list, dict, Slot)
    )


def item_of(kind: Kind, position: int) -> Kind | None:
    """The kind of an item at a position of a display."""
    if isinstance(kind, Record):
        return kind.items[position] if position < len(kind.items) else None
    return kind.item if isinstance(kind, (Sequence, Mapping)) else None

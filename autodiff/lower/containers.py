"""Tuples, lists, parts of them, and windows of arrays."""

from __future__ import annotations

from typing import Any

import gast

from autodiff.analysis.kind import (
    Array,
    Kind,
    Numeric,
    Record,
    is_number,
)
from autodiff.core.notyet import NotYet
from autodiff.core.operation import Apply
from autodiff.core.region import Region
from autodiff.core.value import Value, constant
from autodiff.core.window import Window
from autodiff.lower.entry import Entry, Pack
from autodiff.lower.operators import Operators, word
from autodiff.lower.windows import window_of
from autodiff.primitives.builder import Builder
from autodiff.primitives.form import hole, written
from autodiff.primitives.table import DISPLAY, ITEM


class Containers(Operators):
    """Lowers displays and subscripts."""

    def of_Tuple(self, node: gast.Tuple) -> Entry:
        return Pack(tuple(self.items(node.elts)))

    def items(self, nodes: list[gast.expr]) -> list[Entry]:
        """The items of a display, starred ones spread out."""
        found: list[Entry] = []
        for node in nodes:
            if isinstance(node, gast.Starred):
                found += self.parts(self.entry(node.value))
            else:
                found.append(self.entry(node))
        return found

    def parts(self, entry: Entry) -> list[Entry]:
        """The items of a tuple, or of a container whose length is known."""
        if isinstance(entry, Pack):
            return list(entry.items)
        if isinstance(entry, Value):
            if isinstance(entry.constant, tuple):
                return [constant(item) for item in entry.constant]
            if isinstance(entry.kind, Record) and entry.kind.indexed:
                return [self.part(entry, key) for key in entry.kind.keys]
            if (
                isinstance(entry.kind, Array)
                and entry.kind.shape
                and type(entry.kind.shape[0]) is int
            ):
                return [self.element(entry, Window((k,)), []) for k in range(entry.kind.shape[0])]
        raise NotYet("a container whose length is not known is taken apart")

    def of_List(self, node: gast.List) -> Entry:
        if self.trusts:
            return self.display(node)
        items = [self.as_value(item) for item in self.items(node.elts)]
        return self.builder.display(list, tuple(range(len(items))), items)

    def display(self, node: gast.List) -> Value:
        """A list of what its items hold now."""
        items = [
            self.display(item)
            if isinstance(item, gast.List)
            else self.loaded(self.as_value(self.entry(item)))
            for item in node.elts
            if not isinstance(item, gast.Starred)
        ]
        if len(items) < len(node.elts):
            raise NotYet("a starred item")
        return self.builder.display(list, tuple(range(len(items))), items)

    def of_Subscript(self, node: gast.Subscript) -> Entry:
        base = self.entry(node.value)
        if isinstance(base, Pack):
            key = self.entry(node.slice) if not isinstance(node.slice, gast.Slice) else None
            if (
                isinstance(key, Value)
                and type(key.constant) is int
                and -len(base.items) <= key.constant < len(base.items)
            ):
                return base.items[key.constant]
            if isinstance(node.slice, gast.Slice):
                bounds = [
                    None if b is None else self.value(b).constant
                    for b in (node.slice.lower, node.slice.upper, node.slice.step)
                ]
                if all(b is None or type(b) is int for b in bounds):
                    return Pack(base.items[slice(*bounds)])
            raise NotYet("an item of a tuple that is found at run time")
        value = self.as_value(base)
        if isinstance(value.kind, Record):
            key = self.value(node.slice) if not isinstance(node.slice, gast.Slice) else None
            if key is None or not key.is_constant:
                raise NotYet("an item of a container that is found at run time")
            return self.part(value, key.constant)
        window, index = self.window(node.slice)
        return self.element(value, window, index)

    def part(self, container: Value, key: Any) -> Entry:
        """A part of a container whose parts are known."""
        kind = container.kind
        assert isinstance(kind, Record)
        if type(key) is int and issubclass(kind.cls, (tuple, list)) and key < 0:
            key += len(kind.items)
        found = kind.get(key)
        if found is None:
            raise NotYet("a part that a container does not have")
        if container not in self.unit.given:
            op = container.op
            if isinstance(op, Apply) and op.primitive in (DISPLAY, ITEM):
                return self.builder.item(container, key, self.reached(kind, key), found)
            raise NotYet("a part of a container made inside")
        return self.given(container, key, found)

    def reached(self, kind: Record, key: Any) -> gast.expr:
        """How a part is written."""
        if kind.indexed:
            return gast.Subscript(value=hole(0), slice=written(key), ctx=gast.Load())
        return gast.Attribute(value=hole(0), attr=key, ctx=gast.Load())

    def given(self, container: Value, key: Any, kind: Kind) -> Value:
        """A part of an argument: one value, wherever it is read, so that it has one adjoint."""
        parts = self.unit.given[container]
        if key not in parts:
            assert isinstance(container.kind, Record)
            body = self.unit.function.body
            rest, body.operations = body.operations, []
            entry = Builder(body, self.unit.references)
            parts[key] = entry.item(container, key, self.reached(container.kind, key), kind)
            if parts[key].memory is not None:
                region = parts[key].memory = Region()
                region.given = True
            made, body.operations = body.operations, rest
            at = next((k for k, op in enumerate(rest) if op not in self.unit.entry), len(rest))
            body.operations[at:at] = made
            self.unit.entry.update(made)
            if isinstance(kind, Record):
                self.unit.given[parts[key]] = {}
        return parts[key]

    def element(self, base: Value, window: Window, index: list[Value]) -> Value:
        """A number, a view or a copy, by index."""
        if not isinstance(base.kind, (Array, Numeric)):
            raise NotYet(f"an index into {word(base.kind)}")
        basic = self.builder.is_basic(window, index)
        if basic is None or isinstance(base.kind, Numeric):
            raise NotYet("an index of unknown kind")
        kind = self.builder.part(base, window, index)
        if not basic or is_number(kind):
            return self.builder.load(base, window, index)
        return self.builder.view(base, window, index)

    def window(self, node: gast.expr) -> tuple[Window, list[Value]]:
        """What stands in brackets, and its operands."""
        return window_of(self, node)

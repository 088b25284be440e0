"""Tuples, lists, parts of them, and windows of arrays."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from autodiff.analysis.kind import (
    Array,
    Numeric,
    Record,
    Scalar,
    Text,
    is_number,
)
from autodiff.analysis.size import Dim
from autodiff.core.notyet import NotYet, Positions, Raises, SizesTold
from autodiff.core.value import Value, constant
from autodiff.core.window import At, Window
from autodiff.lower import outer
from autodiff.lower.boxes import boxed, called, get, key_of, reached, special
from autodiff.lower.entry import Box, DictView, Entry, Outer, Pack
from autodiff.lower.library import is_iterator, known_range, parts_of
from autodiff.lower.lists import as_memory, memory_of, part
from autodiff.lower.operators import Operators, word
from autodiff.lower.windows import window_of
from autodiff.primitives.meanings import flat_item

LONGEST = 32
"""A range of so many numbers is taken apart."""


class Containers(Operators):
    """Lowers displays and subscripts."""

    def of_Tuple(self, node: gast.Tuple) -> Entry:
        return Pack(tuple(self.items(node.elts)))

    def of_Slice(self, node: gast.Slice) -> Entry:
        """A slice: its three limits."""
        limits = (node.lower, node.upper, node.step)
        return Pack(tuple(constant(None) if n is None else self.entry(n) for n in limits), slice)

    def items(self, nodes: list[gast.expr]) -> list[Entry]:
        """The items of a display, starred ones spread out."""
        found: list[Entry] = []
        for node in nodes:
            if isinstance(node, gast.Starred):
                found += self.parts(self.entry(node.value))
            else:
                found.append(self.passed(node))
        return found

    def parts(self, entry: Entry) -> list[Entry]:
        """The items of a container whose length is known, as iterating over it gives them."""
        if isinstance(entry, (Pack, DictView)):
            return list(entry.items)
        if is_iterator(entry):
            return self.parts(parts_of(self, entry))
        if isinstance(entry, Outer):
            return outer.items(self, entry)
        if isinstance(entry, Box) and memory_of(entry) is not None:
            raise NotYet("a list that grows is taken apart")
        if isinstance(entry, Box) and entry.indexed:
            return (
                [constant(key) for key in entry.slots]
                if entry.cls is dict
                else [*entry.slots.values()]
            )
        if isinstance(entry, Value):
            if isinstance(entry.constant, tuple):
                return [constant(item) for item in entry.constant]
            places = known_range(entry)
            if places is not None and len(places) <= LONGEST:
                return [constant(place) for place in places]
            kind = entry.kind
            length = kind.shape[0] if isinstance(kind, Array) and kind.shape else 0
            sizes = frozenset(size for size in self.unit.asked if isinstance(size, int))
            if isinstance(length, Dim) and sizes:
                raise SizesTold(sizes)
            if type(length) is int and length:
                return [self.element(entry, Window((k,)), []) for k in range(length)]
        raise NotYet("a container whose length is not known is taken apart")

    def of_List(self, node: gast.List) -> Entry:
        if self.trusts:
            return self.display(node)
        return boxed(self.unit, list, dict(enumerate(self.items(node.elts))))

    def of_Dict(self, node: gast.Dict) -> Entry:
        slots: dict[Any, Entry] = {}
        for key, item in zip(node.keys, node.values):
            if key is None:
                other = self.entry(item)
                if not isinstance(other, Box) or other.cls is not dict:
                    raise NotYet("a dict that is merged into another")
                slots.update(other.slots)
                continue
            own = self.entry(key)
            if not isinstance(own, Value) or not own.is_constant:
                raise Positions("a key that is found at run time")
            slots[own.constant] = self.passed(item)
        return boxed(self.unit, dict, slots)

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
        if isinstance(base, DictView):
            base = Pack(base.items)
        if isinstance(base, (Pack, Box)):
            return self.subscripted(base, node.slice)
        if isinstance(base, Outer):
            return self.of_outside(base, node.slice)
        value = self.as_value(base)
        window, index = self.window(node.slice)
        kind = value.kind
        if isinstance(kind, Record) and len(window.parts) == 1 and not index:
            part = kind.get(window.parts[0])
            if part is not None:
                return self.builder.item(
                    value, window.parts[0], reached(kind, window.parts[0]), part
                )
        return self.element(value, window, index)

    def of_outside(self, base: Outer, index: gast.expr) -> Entry:
        """An item of a container of outside."""
        if base.cls is type(np.s_):
            return indices(base.object, self.entry(index))
        method = special(self, base, "__getitem__")
        if method is not None:
            return called(self, method, [base, self.entry(index)])
        if isinstance(index, gast.Slice):
            raise NotYet("a slice of a container of outside")
        key = self.value(index)
        if key.is_constant:
            return outer.item(self, base, key.constant)
        value = outer.listed(self, base)
        return self.builder.load(value, Window((At(0),)), [key])

    def subscripted(self, base: Pack | Box, index: gast.expr) -> Entry:
        """An item, or a slice, of a container whose parts are known."""
        method = special(self, base, "__getitem__")
        if method is not None:
            return called(self, method, [base, self.entry(index)])
        if base.cls is np.flatiter:
            return called(self, flat_item, [base.slots["base"], self.entry(index)])  # type: ignore[union-attr]
        if isinstance(base, Box) and base.indexed:
            found = self.of_memory(base, index)
            if found is not None:
                return found
        if isinstance(index, gast.Slice):
            bounds = [
                None if bound is None else self.value(bound).constant
                for bound in (index.lower, index.upper, index.step)
            ]
            if not all(bound is None or type(bound) is int for bound in bounds):
                raise Positions("a slice of a container that is found at run time")
            if isinstance(base, Pack):
                return Pack(base.items[slice(*bounds)])
            if base.cls is list:
                items = list(base.slots.values())[slice(*bounds)]
                return boxed(self.unit, list, dict(enumerate(items)))
        elif isinstance(base, Pack):
            number = self.as_value(self.exact(index))
            if not number.is_constant:
                raise Positions("an item of a tuple that is found at run time")
            key = number.constant
            if type(key) is int and -len(base.items) <= key < len(base.items):
                return base.items[key]
            if type(key) is int:
                raise Raises(IndexError, "an item that a tuple does not have")
        elif base.indexed:
            return get(base, key_of(base, self.exact(index)))
        raise Positions("an item of a container that is found at run time")

    def of_memory(self, box: Box, index: gast.expr) -> Entry | None:
        """An item of a container that is memory, or has to be; None if its parts are known."""
        if isinstance(index, gast.Slice):
            if memory_of(box) is not None:
                raise NotYet(f"a slice of a {box.cls.__name__} that is memory")
            return None
        key = self.value(index)
        if memory_of(box) is None and key.is_constant:
            return None
        as_memory(self, box)
        self.check_key(box, key)
        return part(self, box, key)

    def check_key(self, box: Box, key: Value) -> None:
        """What a container that is memory is asked for."""
        kinds: tuple[type, ...] = (Text,) if box.cls is dict else ()
        whole = isinstance(key.kind, Scalar) and key.kind.type == "int"
        text = key.is_constant and isinstance(key.constant, str) and box.cls is dict
        if not (whole or text or isinstance(key.kind, kinds)):
            raise NotYet(f"a key of a {box.cls.__name__} that is no number and no text")

    def element(self, base: Value, window: Window, index: list[Value]) -> Value:
        """A number, a view or a copy, by index."""
        if isinstance(base.kind, Scalar) and base.kind.dtype is None:
            raise Raises(TypeError, "an index into a number")
        if not isinstance(base.kind, (Array, Numeric)):
            raise NotYet(f"an index into {word(base.kind)}")
        basic = self.builder.is_basic(window, index)
        if basic is None:
            raise NotYet("an index of unknown kind")
        kind = self.builder.part(base, window, index)
        if not basic or is_number(kind):
            return self.builder.load(base, window, index)
        return self.builder.view(base, window, index)

    def window(self, node: gast.expr) -> tuple[Window, list[Value]]:
        """What stands in brackets, and its operands."""
        return window_of(self, node)


def indices(maker: Any, entry: Entry) -> Entry:
    """`np.s_[...]` is what stands in the brackets, `np.index_exp[...]` a tuple of it."""
    is_plural = isinstance(entry, Pack) and entry.cls is tuple
    return Pack((entry,)) if maker.maketuple and not is_plural else entry

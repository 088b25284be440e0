"""Tuples, lists, parts of them, and windows of arrays."""

from __future__ import annotations

import operator

import gast
import numpy as np

from autodiff.core import Again, NotYet, Raises, SizesTold, Span, Value, Window, constant
from autodiff.kinds.kind import Array, Numeric, Record, Scalar, Sequence, is_number, is_text
from autodiff.kinds.size import Dim
from autodiff.lower.entries import library, lists, members, outer, windows
from autodiff.lower.entries.boxes import boxed, called, get, key_of, special
from autodiff.lower.entries.entry import MEMORY, Box, DictView, Entry, Outer, Pack, known_keys
from autodiff.lower.entries.library import parts_of
from autodiff.lower.entries.spans import short_range
from autodiff.lower.expression import ranges, texts
from autodiff.lower.expression.operators import Operators, word
from autodiff.lower.expression.outside import found_outside
from autodiff.lower.expression.parts import extended, updated
from autodiff.lower.expression.places_found import found_by
from autodiff.lower.flow import opaque
from autodiff.lower.recipes import container_recipes
from autodiff.primitives.meanings import flat_item
from autodiff.primitives.opaque import is_opaque


class Containers(Operators):
    """Lowers displays and subscripts."""

    def of_Tuple(self, node: gast.Tuple) -> Entry:
        if any(isinstance(each, gast.Starred) for each in node.elts):
            made = self.spread(node.elts, tells=True)
            memory = lists.memory_of(made)
            if memory is None:
                return Pack(tuple(made.slots.values()))
            return boxed(self.unit, tuple, {MEMORY: memory})
        return Pack(tuple(map(self.passed, node.elts)))

    def of_Slice(self, node: gast.Slice) -> Pack:
        """A slice: its three limits."""
        limits = (node.lower, node.upper, node.step)
        return Pack(tuple(constant(None) if n is None else self.entry(n) for n in limits), slice)

    def parts(self, entry: Entry) -> list[Entry]:
        """The items of a container whose length is known, as iterating over it gives them."""
        if isinstance(entry, Pack) and entry.cls is slice:
            raise Raises(TypeError, "'slice' object is not iterable")
        if isinstance(entry, (Pack, DictView)):
            return list(entry.items)
        own = parts_of(self, entry)
        if own is not entry:
            return self.parts(own)
        if isinstance(entry, Outer):
            return outer.items(self, entry)
        if isinstance(entry, Box) and lists.memory_of(entry) is not None:
            raise NotYet("a list that grows is taken apart")
        if isinstance(entry, Box) and entry.indexed:
            return known_keys(entry) if entry.cls is dict else [*entry.slots.values()]
        if isinstance(entry, Value):
            if isinstance(entry.constant, (tuple, str)):
                return [constant(item) for item in entry.constant]
            named = outer.members(self, entry)
            if named is not None:
                return [*named.values()]
            places = short_range(entry)
            if places is not None:
                return [constant(place) for place in places]
            kind = entry.kind
            if isinstance(kind, Record) and kind.cls in (tuple, list):
                return [self.builder.item(entry, *pair) for pair in zip(kind.keys, kind.items)]
            self.tell(entry)
            length = kind.shape[0] if isinstance(kind, Array) and kind.shape else 0
            if type(length) is int and length:
                return [self.element(entry, Window((k,)), []) for k in range(length)]
        raise NotYet("a container whose length is not known is taken apart")

    def tell(self, entry: Entry) -> None:
        """Arrays that are taken apart are to have a known size where arguments have one."""
        kind = entry.kind if isinstance(entry, Value) else None
        length = kind.shape[0] if isinstance(kind, Array) and kind.shape else 0
        sizes = frozenset(size for size in self.unit.asked if isinstance(size, int))
        if isinstance(length, Dim) and sizes:
            raise SizesTold(sizes)

    def of_List(self, node: gast.List) -> Entry:
        if self.trusts:
            return self.display(node)
        if any(isinstance(each, gast.Starred) for each in node.elts):
            return self.spread(node.elts)
        return boxed(self.unit, list, dict(enumerate(map(self.passed, node.elts))))

    def spread(self, nodes: list[gast.expr], tells: bool = False) -> Box:
        """A list of items of which some are starred: `[x, *xs]`."""
        made = boxed(self.unit, list, {})
        for each in nodes:
            if isinstance(each, gast.Starred):
                entry = self.entry(each.value)
                if tells:
                    self.tell(entry)
                extended(self, made, entry)
            else:
                extended(self, made, Pack((self.passed(each),)))
        return made

    def of_Dict(self, node: gast.Dict) -> Entry:
        made = boxed(self.unit, dict, {})
        for key, item in zip(node.keys, node.values):
            if key is None:
                other = self.entry(item)
                if not isinstance(other, Box) or other.cls is not dict:
                    raise NotYet("a dict that is merged into another")
                updated(self, made, [other], [])
                continue
            own = self.entry(key)
            value = None if isinstance(own, Box) else self.loaded(self.as_value(own))
            if lists.memory_of(made) is None and (value is None or value.is_constant):
                made.slots[key_of(made, value or own)] = self.passed(item)
            else:
                lists.as_memory(self, made)
                lists.put_part(
                    self,
                    made,
                    lists.key_value(self, made, own),
                    lists.item_value(self, self.passed(item)),
                )
        return made

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
            return found_outside(self, base, node.slice)
        value = self.as_value(base)
        if is_text(value.kind):  # where it is one of two, each is looked at
            value = self.as_value(self.unit.facts.exact(value))
        named = outer.members(self, value)
        if named is not None:
            key = self.exact(node.slice)
            if isinstance(key, Value) and key.is_constant:
                return members.named(value, named, key)
            return self.subscripted(boxed(self.unit, dict, {**named}), node.slice)
        if isinstance(value.constant, str) and not isinstance(node.slice, gast.Slice):
            return self.subscripted(Pack(tuple(map(constant, value.constant))), node.slice)
        if is_text(value.kind):
            return texts.part(self, value, self.entry(node.slice))
        if is_opaque(value):
            return opaque.item(self, value, self.entry(node.slice))
        places = ranges.part_of(self, value, node.slice)
        if places is not None:
            return places
        window, index = self.window(node.slice, value)
        kind = value.kind
        if isinstance(kind, Record) and len(window.parts) == 1 and not index:
            own = kind.get(window.parts[0])
            if own is not None:
                return self.builder.item(value, window.parts[0], own)
        if isinstance(kind, Sequence) and not isinstance(window.parts[0], Span):
            return lists.held(self, self.builder.load(value, window, index))
        return self.element(value, window, index)

    def subscripted(self, base: Pack | Box, index: gast.expr) -> Entry:
        """An item, or a slice, of a container whose parts are known."""
        method = special(self, base, "__getitem__")
        if method is not None:
            return called(self, method, base, self.entry(index))
        with self.once(index) as own:
            return self.item_of(base, own)

    def item_of(self, base: Pack | Box, index: gast.expr) -> Entry:
        """The same, of an index that has no effects."""
        index = windows.constant_slice(self, index) or index
        if base.cls is slice:
            raise Raises(TypeError, "'slice' object is not subscriptable")
        if base.cls is np.flatiter:
            return called(self, flat_item, base.slots["base"], self.entry(index))  # type: ignore[union-attr]
        if isinstance(base, Box) and base.indexed:
            found: Entry | None = self.of_memory(base, index)
            if found is not None:
                return found
        if isinstance(index, gast.Slice):
            bounds = [
                None if bound is None else self.value(bound).constant
                for bound in (index.lower, index.upper, index.step)
            ]
            if not all(bound is None or type(bound) is int for bound in bounds):
                raise Again("a slice of a container that is found at run time")
            if isinstance(base, Pack):
                return Pack(base.items[slice(*bounds)])
            if base.cls is list:
                items = list(base.slots.values())[slice(*bounds)]
                return boxed(self.unit, list, dict(enumerate(items)))
        elif isinstance(base, Pack):
            number = self.as_value(self.exact(index))
            if not number.is_constant:
                return self.of_tuple(base, number)
            key = number.constant
            if isinstance(key, int) and -len(base.items) <= key < len(base.items):
                return base.items[key]
            raise Raises.by("an item that a tuple does not have", operator.getitem, (), key)
        elif base.indexed:
            return get(base, key_of(base, self.exact(index)))
        raise Again("an item of a container that is found at run time")

    def of_tuple(self, pack: Pack, number: Value) -> Entry:
        """An item of a tuple that is found at run time."""
        names = self.unit.doors.names
        if names is not None or not lists.fits(pack):
            if names is not None:
                names.add("tuple")
            raise Again("an item of a tuple that is found at run time")
        box = library.later(self, pack)
        lists.as_memory(self, box)
        return lists.part(self, box, lists.key_value(self, box, number))

    def of_memory(self, box: Box, index: gast.expr) -> Entry | None:
        """An item of a container that is memory, or has to be; None if its parts are known."""
        if isinstance(index, gast.Slice):
            if lists.memory_of(box) is None:
                return None
            ends = self.ends(box, index)
            recipes = (container_recipes.part, container_recipes.each_of_part)
            found = called(self, recipes[len(ends) - 2], box, *ends)
            assert isinstance(found, Box)
            return boxed(self.unit, box.cls, {MEMORY: lists.as_memory(self, found)})
        own = self.entry(index)
        if lists.memory_of(box) is None and (
            isinstance(own, Box) or self.as_value(own).is_constant
        ):
            return None
        lists.as_memory(self, box)
        return lists.part(self, box, lists.key_value(self, box, own))

    def ends(self, box: Box, index: gast.Slice) -> list[Entry]:
        """The numbers that a slice of a list that is memory stands for: two, or three."""
        limits = self.of_Slice(index)
        return [*windows.ends_of(self, lists.as_memory(self, box), limits)]

    def element(self, base: Value, window: Window, index: list[Value]) -> Value:
        """A number, a view or a copy, by index."""
        if isinstance(base.kind, Scalar) and base.kind.dtype is None:
            raise Raises(TypeError, "an index into a number")
        if isinstance(base.kind, Scalar):  # a number of NumPy's is an array without axes
            return self.builder.load(base, window, index)
        if not isinstance(base.kind, (Array, Numeric)):
            raise NotYet(f"an index into {word(base.kind)}")
        basic = self.builder.is_basic(window, index)
        if basic is None:
            return found_by(self, base, window, index)
        kind = self.builder.part(base, window, index)
        if not basic or is_number(kind):
            return self.builder.load(base, window, index)
        return self.builder.view(base, window, index)

    def window(self, node: gast.expr, base: Value | None = None) -> tuple[Window, list[Value]]:
        """What stands in brackets, and its operands: beside arrays a truth value is a mask."""
        window, index = windows.window_of(self, node)
        if base is not None and isinstance(base.kind, Array):
            index = [windows.masking(self, value) for value in index]
        return window, index

"""What is asked of a place before something is stored there.

Values that are taken apart: `a, b = pair`, `first, *rest = items`.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import gast
import numpy as np

from autodiff.core import NotYet, Operation, Raises, SizesTold, Value, Window, constant
from autodiff.frontend.source import MARK
from autodiff.kinds.classes import class_attribute
from autodiff.kinds.kind import Array, Kind, Numeric, Record, Scalar, Sequence, Static
from autodiff.lower.entries import cells
from autodiff.lower.entries.above import Storing
from autodiff.lower.entries.boxes import boxed, called, key_of, put
from autodiff.lower.entries.entry import Box, DictView, Entry, Outer
from autodiff.lower.entries.library import parts_of
from autodiff.lower.entries.lists import (
    as_memory,
    held,
    item_value,
    key_value,
    memory_of,
    part,
    put_part,
)
from autodiff.lower.expression.application import listed_later
from autodiff.lower.expression.expressions import Expressions
from autodiff.lower.expression.parts import is_of_unknown_length, part_replaced
from autodiff.lower.flow import opaque
from autodiff.lower.recipes import container_recipes
from autodiff.normalize.build import at, branch, call, compare
from autodiff.normalize.build import constant as written
from autodiff.primitives.errors import is_unconverted
from autodiff.primitives.opaque import is_opaque
from autodiff.syntax.names import name


def assigned(base: Any, value: Any) -> None:
    """A store of something."""
    base[...] = value


class Places(Expressions):
    """What may be stored where."""

    def stored_value(self, entry: Entry) -> Value:
        """What is stored into an array: a list is an array, as for NumPy."""
        value = self.loaded(self.as_value(entry))
        listed = isinstance(value.kind, Record) and issubclass(value.kind.cls, (list, tuple))
        if listed or isinstance(value.kind, Sequence):
            return self.builder.call("np.array", np.array, value)
        return value

    def set_outside(self, base: Outer, name: str, entry: Entry) -> None:
        """`base.attr = value` of an object of outside."""
        found = class_attribute(base.cls, name)
        if isinstance(found, property) and isinstance(found.fset, FunctionType):
            called(self, found.fset, base, entry, stores=True)
        else:
            if cells.is_data_descriptor(found):
                raise NotYet("a descriptor")
            cells.put_attribute(self, base, name, entry)

    def put_into(
        self, base: Value, value: Value, window: Window, index: list[Value], leads: bool = False
    ) -> None:
        """`base[window] = value`. leads: see `placed`."""
        self.check_memory(base)
        if self.builder.is_basic(window, index) is None:
            raise NotYet("an index of unknown kind")
        self.check_stored(value, base)
        value = self.placed(value, self.builder.part(base, window, index), leads)
        self.builder.store(base, value, window, index)

    def placed(self, value: Value, part: Kind, leads: bool) -> Value:
        """What is stored has no more axes than its place, but for axes of one element in front.
        leads: NumPy takes these: of arrays in a store, not of lists, nor of what is given out.
        """
        if not isinstance(value.kind, Array) or has_axes_of(part, value.kind):
            return value
        more = len(value.kind.shape) - len(part.shape) if isinstance(part, Array) else 0
        if not leads or more < 1 or value.kind.shape[:more] != (1,) * more:
            raise NotYet("a store of an array with more axes than its place")
        return self.builder.load(value, Window((0,) * more, several=more > 1))

    def check_memory(self, base: Value) -> None:
        """Only arrays are stored into so far."""
        if isinstance(base.kind, Scalar) or base.kind == Static(None):
            raise Raises(TypeError, "a store into a number or None")
        if not isinstance(base.kind, Array):
            raise NotYet(f"a store into {type(base.kind).__name__.lower()}")

    def check_stored(
        self, value: Value, base: Value, store: Callable[..., Any] | None = None
    ) -> None:
        """Numbers and arrays are stored, of any type: the array's own decides. store: an update in
        place, which converts less.
        """
        assert isinstance(base.kind, Array)
        if not isinstance(value.kind, (Array, Scalar, Numeric)):
            raise NotYet(f"{type(value.kind).__name__.lower()} is stored")
        if is_unconverted(store or assigned, base.kind, value):
            raise NotYet("a store that NumPy does not convert")

    def check_updated(self, base: Value, old: Value, made: Value) -> None:
        """An update of elements in place neither converts them nor changes their shape."""
        if isinstance(old.kind, Array) and old.kind.dtype != getattr(made.kind, "dtype", None):
            raise NotYet("an update that converts")
        if isinstance(made.kind, Array) and not has_axes_of(old.kind, made.kind):
            raise NotYet("an update whose shapes are not known to fit")

    def put_at(self, box: Box, index: gast.expr, entry: Entry) -> None:
        """A store into a list or a dict."""
        if self.is_memory(box, index):
            self.put_item(box, index, entry)
        else:
            put(box, key_of(box, self.exact(index)), entry)

    def is_memory(self, box: Box, index: gast.expr) -> bool:
        """Whether a store makes memory of a container: it is found at run time where."""
        if memory_of(box) is not None or isinstance(index, gast.Slice):
            return True
        key = self.entry(index)
        return not isinstance(key, Box) and not self.as_value(key).is_constant

    def put_item(self, box: Box, index: gast.expr, entry: Entry) -> None:
        """A store into a container that is memory."""
        if isinstance(index, gast.Slice):
            part_replaced(self, box, self.of_Slice(index), entry)
            return
        item = item_value(self, entry)
        as_memory(self, box)
        put_part(self, box, key_value(self, box, self.value(index)), item)


def changes(op: Operation) -> bool:
    """Whether an operation changes memory: which regions are one is not known before the end."""
    return any(effect.what == "write" for effect in op.effects())


def raises(op: Operation) -> bool:
    """Whether an operation, or one in it, may raise."""
    return any(inner.raises for inner in op.nested())


def has_axes_of(whole: Kind, part: Array) -> bool:
    """Whether a window has as many axes as what is put there: sizes are compared when it runs."""
    axes = len(whole.shape) if isinstance(whole, Array) else 0
    return len(part.shape) <= axes and isinstance(whole, (Array, Scalar))


def starred(
    statements: Storing, targets: list[Any], star: int, whole: Entry
) -> list[tuple[Any, Entry]]:
    """What the targets hold after `first, *rest = items`."""
    behind, whole = len(targets) - star - 1, parts_of(statements, whole)
    parts = [*targets[:star], targets[star].value, *targets[star + 1 :]]
    if is_of_unknown_length(whole):
        own = listed_later(statements, whole)
        given = [own, constant(star), constant(behind)]
        rest = called(statements, container_recipes.rest, *given)
        assert isinstance(own, Box)
        places = [*range(star), *range(-behind, 0)]
        ends = [part(statements, own, constant(place)) for place in places]
        return list(zip(parts, [*ends[:star], rest, *ends[star:]], strict=True))
    items = statements.parts(whole)
    if len(items) < star + behind:
        least = f"(expected at least {star + behind}, got {len(items)})"
        raise Raises(ValueError, f"not enough values to unpack {least}")
    end = len(items) - behind
    rest = boxed(statements.unit, list, dict(enumerate(items[star:end])))
    return list(zip(parts, [*items[:star], rest, *items[end:]], strict=True))


def unpacked(statements: Storing, entry: Entry, count: int) -> list[Entry]:
    """The parts of a value that is taken apart into so many."""
    entry = parts_of(statements, entry)
    table = entry.box if isinstance(entry, DictView) else entry
    if isinstance(table, Box) and table.cls is dict and is_of_unknown_length(entry):
        entry = listed_later(statements, entry)
    if is_opaque(entry):
        return taken_apart(statements, statements.opaque(tuple, entry), count)
    memory = memory_of(entry) if isinstance(entry, Box) and entry.cls in (list, tuple) else entry
    if isinstance(memory, Value) and isinstance(memory.kind, (Array, Numeric, Sequence)):
        length = memory.kind.shape[:1] if isinstance(memory.kind, Array) else (None,)
        if length and not isinstance(length[0], int):
            return taken_apart(statements, memory, count)
    items = statements.parts(entry)
    if len(items) != count:
        few = f"not enough values to unpack (expected {count}, got {len(items)})"
        many = f"too many values to unpack (expected {count})"
        raise Raises(ValueError, few if len(items) < count else many)
    return items


def taken_apart(statements: Storing, whole: Value, count: int) -> list[Entry]:
    """The items of an array or a list of unknown length, which has to be right at run time."""
    if count in statements.unit.asked and isinstance(whole.kind, Array):
        raise SizesTold(frozenset({count}))
    own = statements.frame.temporary("parts")
    statements.frame.names[own] = whole
    error = call(f"{MARK}ValueError", written(f"expected {count} values to unpack"))
    test = compare(call(f"{MARK}len", name(own)), gast.NotEq(), written(count))
    origin = statements.builder.origin
    stop = at(gast.Raise(exc=error, cause=None), origin)
    statements.on_If(branch(test, [stop], [], origin))  # type: ignore[attr-defined]
    del statements.frame.names[own]
    if is_opaque(whole):
        return [opaque.item(statements, whole, constant(k)) for k in range(count)]
    if isinstance(whole.kind, (Array, Numeric)):
        return [statements.element(whole, Window((k,)), []) for k in range(count)]
    loaded = [statements.builder.load(whole, Window((k,)), []) for k in range(count)]
    return [held(statements, item) for item in loaded]

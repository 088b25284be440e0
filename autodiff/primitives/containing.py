"""Containers that are memory: lists, dicts, tuples and objects whose parts are found at run time.

    rows = [[x, 1.0]]                rows: list of lists of numbers, region R, which holds region S
    rows[k].append(y)                any row may be any of S: written, so it has a shadow

What containers hold, and of what kinds that is, is known of regions: whoever stores through one
name changes what all others see.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import gast
import numpy as np

from autodiff.core import Append, At, Named, Region, Store, Take, Value, Window
from autodiff.kinds.kind import (
    UNKNOWN,
    Array,
    Kind,
    Mapping,
    Nullable,
    Numeric,
    Record,
    Scalar,
    Static,
    Text,
    forget_values,
)
from autodiff.kinds.kind import Sequence as Sequence_
from autodiff.primitives.algebra import either
from autodiff.primitives.applying import Applying, born
from autodiff.primitives.opaque import KEY
from autodiff.primitives.primitive import Application, written
from autodiff.primitives.table import LISTING

KEYS: Any = type("Keys", (), {"__repr__": lambda self: "KEYS"})()
"""Under this a region notes of what kinds the keys of its dicts are."""
KEYED: dict[type, tuple[str, ...]] = {
    dict: ("get", "setdefault", "pop", "__getitem__", "__setitem__"),
    list: ("pop", "insert", "__getitem__", "__setitem__"),
}
"""Methods whose first argument is a key, or a place."""
PLAIN = ("append", "reverse", "clear", "copy")
"""Others that Python itself runs on the parts of a container, if these are known."""
READING = ("get", "keys", "values", "items", "copy", "index", "count", "__getitem__")
"""Methods that look at a container, and leave it as it is."""
FILLING = frozenset(("append", "extend", "insert", "clear", "update"))
"""Methods that change a container, and give nothing."""
_DEEPEST = 5
"""So deep containers are looked into: what holds itself has no end."""


class Containing(Applying):
    """Makes containers, and puts things into them."""

    def holding(
        self, cls: type, keys: Sequence[Any], items: Sequence[Value], form: Any, fixed: bool = False
    ) -> Value:
        """A container that is memory. form: how it is written. fixed: it gets no more items."""
        kind: Kind
        if cls is list and not fixed:
            kind = Sequence_(UNKNOWN)
        elif cls is dict:
            kind = Mapping(UNKNOWN, UNKNOWN)
        else:
            kind = Record(cls, tuple(keys), tuple(plain(item.kind) for item in items))
        value = self.apply(LISTING, Application((form,)), form, items, kind)
        value.memory = Region()  # what it holds is not what it is
        for key, item in zip(keys, items):
            self.hold(value, key_of(kind, Window((key,))), item)
        value.kind = contained(value)
        return value

    def hold(self, container: Value, key: Any, item: Value) -> None:
        """A container holds an item: if that is memory, it is some of what the region holds."""
        container.home.note(key, plain(item.kind))
        if item.memory is not None:
            container.home.part(key).unite(item.memory)
            item.memory.find().held = True
        container.kind = contained(container)

    def append(self, base: Value, item: Value, place: Value | None = None) -> None:
        """`base.append(item)`, `base.insert(place, item)`."""
        base.home.find().written = True
        self.hold(base, None, item)
        self.add(Append([base, item] if place is None else [base, item, place], []))

    def put(self, base: Value, item: Value, window: Window, index: Sequence[Value]) -> None:
        """`base[key] = item`, `base.attribute = item`."""
        base.home.find().written = True
        self.hold(base, key_of(base.kind, window), item)
        op = Store([base, item, *index], [], window)
        op.raises = isinstance(base.kind, Sequence_)
        self.add(op)

    def take(self, base: Value, place: Value | None = None) -> Value:
        """`base.pop()`, `base.pop(place)`."""
        base.home.find().written = True
        value = self.held_value(base, None)
        op = Take([base] if place is None else [base, place], [value])
        op.raises = True
        self.add(op)
        return value

    def held_value(self, base: Value, key: Any) -> Value:
        """A value for an item of a container."""
        value = born("", held_kind(base, key))
        if value.memory is not None:
            value.memory = base.home.part(key)
        return value


def is_container(kind: Kind) -> bool:
    """Whether what is loaded from a value by index or attribute is what it holds."""
    return isinstance(kind, (Sequence_, Mapping, Record))


def plain(kind: Kind) -> Kind:
    """The kind of what varies from item to item: of no known value."""
    if isinstance(kind, Record):
        return Record(kind.cls, kind.keys, tuple(map(plain, kind.items)))
    return (
        Text() if isinstance(kind, Static) and isinstance(kind.value, str) else forget_values(kind)
    )


def is_memory(value: Value) -> bool:
    """Whether a value is a container that is memory: its region tells what it holds."""
    region = value.region
    return region is not None and bool(region.kinds) and is_container(value.kind)


def windows_of(form: Any, count: int) -> list[Window]:
    """Where the parts of a container are that is written like this."""
    if hasattr(form, "keywords"):
        return [Window((Named(part.arg),)) for part in form.keywords]
    if hasattr(form, "keys"):
        return [Window((gast.literal_eval(key),)) for key in form.keys]
    return [Window((k,)) for k in range(count)]


def key_of(kind: Kind, window: Window) -> Any:
    """The key under which a window looks; None if that is found at run time or does not matter."""
    (part,) = window.parts
    if isinstance(part, At) or isinstance(kind, Sequence_):
        return None
    return part.name if isinstance(part, Named) else part


def window_at(key: Value | Named) -> tuple[Window, list[Value]]:
    """The window of a key, and its operands."""
    if isinstance(key, Named):
        return Window((key,)), []
    if key.is_constant and isinstance(key.constant, (int, str)):
        return Window((key.constant,)), []
    return Window((At(0),)), [key]


def contained(value: Value) -> Kind:
    """The kind of a container, of what its region holds by now."""
    return _of_region(value.kind, value.home.find(), 0)


def held_kind(base: Value, key: Any) -> Kind:
    """The kind of an item."""
    return _item(base.kind, base.home.find(), key, 0)


def _of_region(kind: Kind, region: Region, depth: int) -> Kind:
    if depth > _DEEPEST:
        return UNKNOWN
    if isinstance(kind, Sequence_):
        return Sequence_(_item(kind, region, None, depth), kind.cls)
    if isinstance(kind, Mapping):
        return Mapping(_item(kind, region, None, depth), joined(region.kinds.get(KEYS, ())))
    if isinstance(kind, Record):
        others = () if kind.cls is tuple else region.kinds  # of tuples of other lengths
        keys = dict.fromkeys([*kind.keys, *others])
        items = tuple(_item(kind, region, key, depth) for key in keys)
        return Record(kind.cls, tuple(keys), items)
    return kind


def _item(kind: Kind, region: Region, key: Any, depth: int) -> Kind:
    """The kind of what containers of a kind hold under a key in a region; None stands for any."""
    every = key is None or isinstance(kind, Sequence_)
    found: list[Kind] = []
    for own, kinds in region.kinds.items():
        if own is KEYS or not (every or own is None or own == key):
            continue
        inner = region.inner.get(own, region.inner.get(None))
        for each in kinds:
            found.append(each if inner is None else _of_region(each, inner.find(), depth + 1))
    return joined(found) if found else _told(kind, key)


def _told(kind: Kind, key: Any) -> Kind:
    """The kind of an item of a container that was made elsewhere."""
    if isinstance(kind, (Sequence_, Mapping)):
        return forget_values(kind.item)
    found = kind.get(key) if isinstance(kind, Record) else None
    return UNKNOWN if found is None else forget_values(found)


def joined(kinds: Iterable[Kind]) -> Kind:
    """The kind of what is of one of several kinds."""
    found, keys, memory = None, True, False
    for kind in kinds:
        memory |= isinstance(kind, Array)
        found = kind if found is None else either(found, kind)
        plain = kind == KEY or isinstance(kind, Text)
        keys &= plain or isinstance(kind, Scalar) and kind.type in ("int", "bool")
    inner = found.other if isinstance(found, Nullable) else found
    if found is None or inner is None or memory and isinstance(inner, Numeric):
        return UNKNOWN
    return KEY if keys and not is_item(found) else forget_values(found)


def is_item(kind: Kind) -> bool:
    """Whether a value of a kind may be put into a container and is what it was when it comes back:
    a number, an array, a text, `None`, a container; of what is a number or an array, what it holds.
    """
    nothing = isinstance(kind, Static) and kind.value is None
    return nothing or isinstance(kind, (Scalar, Array, Numeric, Text)) or is_container(kind)


def display_of(cls: type, keys: Sequence[Any], holes: list[gast.expr]) -> gast.expr:
    """How a list, tuple or dict is written."""
    if cls is dict:
        return gast.Dict(keys=[written(key) for key in keys], values=holes)
    return (gast.Tuple if cls is tuple else gast.List)(elts=holes, ctx=gast.Load())


_DTYPES = {"bool": "?", "int": "int64", "float": "float64", "complex": "complex128"}


def holds(store: Store) -> bool:
    """Whether memory gives back the very number that was stored there: at one place, in a dtype of
    this kind that is no narrower.
    """
    whole, own, window = store.base.kind, store.value.kind, store.window
    if window is None or not isinstance(own, Scalar):
        return False
    if not isinstance(whole, Array):
        return is_container(whole)
    places = [
        type(part) is int
        or isinstance(part, At)
        and isinstance(kind := store.index[part.number].kind, Scalar)
        and kind.type == "int"
        for part in window.parts
    ]
    if not all(places) or len(places) != len(whole.shape) or whole.dtype is None:
        return False
    given = np.dtype(own.dtype if own.dtype not in (None, "?") else _DTYPES[own.type])
    kept = np.dtype(whole.dtype)
    return given.kind == kept.kind and given.itemsize <= kept.itemsize

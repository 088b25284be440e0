"""Containers that are memory: they grow in blocks, or items are asked for that are found at run
time.

A list, dict or object begins as a box, whose parts are known. Where that does not do, it becomes
memory: now, if it was made in the same block; else before the outermost block that it comes from
outside of, which is then lowered again (`Again`).
"""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from autodiff.core import Again, Apply, If, Named, NotYet, Parts, Reread, Window, needed
from autodiff.core.value import Value, constant
from autodiff.kinds.classes import class_attribute, is_named_tuple
from autodiff.kinds.kind import (
    Array,
    Kind,
    Mapping,
    Nullable,
    Numeric,
    Record,
    Scalar,
    Sequence,
    Static,
    Text,
)
from autodiff.lower.entries.above import Unit, Values
from autodiff.lower.entries.entry import MEMORY, Bound, Box, Closure, Entry, Pack, inner
from autodiff.lower.entries.listings import (
    began_with,
    goes_over,
    holds_nothing,
    made_by,
    settled,
    stays_parts,
)
from autodiff.lower.entries.metaclasses import is_usual
from autodiff.lower.entries.wording import as_a_whole, of_any_items
from autodiff.lower.recipes.iterators import Iterator
from autodiff.primitives import KEY, KEYING, containing, hole
from autodiff.runtime import instance
from autodiff.syntax.names import name


def memory_of(box: Box) -> Value | None:
    """The container that a box has become, None if it still is its parts."""
    found = box.memory
    if found is not None:
        found.kind = containing.contained(found)
    return found


def as_memory(expressions: Values, box: Box) -> Value:
    """The container as memory, which it becomes if it is not."""
    found = memory_of(box)
    if found is not None:
        return found
    if any(map(is_function, box.slots.values())):
        raise Again("a function as a value")
    if is_shared(expressions.unit, box):
        raise needed(box)
    return become(expressions, box)


def is_shared(unit: Unit, box: Box) -> bool:
    """Whether a block that is being lowered begins with a container."""
    return any(box in heap.slots for heap in unit.around)


def become(expressions: Values, box: Box) -> Value:
    """A box becomes memory here and now, with all that it holds."""
    cls = box.cls
    builder, references = expressions.builder, expressions.unit.references
    refused = expressions.unit.doors.names
    if getattr(box, "lent", False):
        raise Again("the attributes of an object as memory")
    if holds_itself(box):
        raise Again("objects that hold each other, as memory")
    if cls is dict and any(isinstance(key, Box) for key in box.slots):
        raise Again("objects as keys of a dict that is memory")
    if stays_parts(expressions, cls):
        raise Again("an item that may be anything")
    if cls is list and refused is not None and any(map(is_named, box.slots.values())):
        refused.add(box.hint)
        raise Again("an item of a list of names that is found at run time")
    items = [item_value(expressions, entry) for entry in box.slots.values()]
    for op in [item.op for item in items if item.partial]:
        reason = "a list that exists on one path only"
        if isinstance(op, If) and op.origin is not None:
            raise Reread((If, op.origin), reason)  # one of two, as memory
        raise NotYet(reason)
    keys = list(box.slots)
    holes = [hole(k) for k in range(len(items))]
    if cls in (list, dict):
        value = builder.holding(cls, keys, items, containing.display_of(cls, keys, holes))
    elif is_plain(box):
        made = name(references.use("instance", instance))
        own = name(references.use(cls.__name__, cls))
        value = by_name(expressions, cls, dict(zip(keys, items)), made, own)
    else:
        raise as_a_whole(cls)
    if cls is dict:
        for key in keys:
            note_key(value, constant(key))
    value.hint, value.named = box.hint or "items", bool(box.hint)
    box.slots = {MEMORY: value}
    return value


def holds_itself(box: Box) -> bool:
    """Whether what a container holds leads back to it: no kind says what it holds then."""
    todo, seen = [*box.slots.values()], set[int]()
    while todo:
        each = todo.pop()
        if each is box:
            return True
        if id(each) not in seen:
            seen.add(id(each))
            todo += inner(each)
    return False


def by_name(expressions: Values, cls: type, items: dict[Any, Value], *called: gast.expr) -> Value:
    """A container that is memory, of parts with names. called: what makes it, and its arguments."""
    made, *first = called
    parts = [gast.keyword(arg=key, value=hole(k)) for k, key in enumerate(items)]
    form = gast.Call(func=made, args=first, keywords=parts)
    return expressions.builder.holding(cls, [*items], [*items.values()], form)


def is_function(entry: Entry) -> bool:
    """Whether an entry is a function, or a tuple with one."""
    if isinstance(entry, Pack):
        return any(map(is_function, entry.items))
    return isinstance(entry, (Closure, Bound))


def is_named(entry: Entry) -> bool:
    """Whether an entry is a text that is known, or a tuple with one: what it names is known, too,
    where a loop over such is written out.
    """
    if isinstance(entry, Pack):
        return any(map(is_named, entry.items))
    return isinstance(entry, Value) and isinstance(entry.constant, str)


def is_plain(box: Box) -> bool:
    """Whether an object is its attributes and nothing else."""
    own = is_usual(box.cls) and not issubclass(box.cls, (list, dict, tuple, np.ndarray, Iterator))
    return own and box.given is None


def is_made_of_fields(cls: type) -> bool:
    """Whether a call of a class with its parts makes a namedtuple of them."""
    return is_named_tuple(cls) and class_attribute(cls, "__new__") is cls.__dict__.get("__new__")


def fits(entry: Entry, depth: int = 0) -> bool:
    """Whether memory can hold an entry."""
    if isinstance(entry, Box):
        known = entry.memory is not None or entry.cls in (list, dict) or is_plain(entry)
        return known and depth < 9 and all(fits(item, depth + 1) for item in entry.slots.values())
    if isinstance(entry, Pack):
        known = entry.cls is tuple or is_made_of_fields(entry.cls)
        return known and all(fits(item, depth) for item in entry.items)
    return isinstance(entry, Value) and (
        containing.is_item(entry.kind) or containing.is_item(containing.plain(entry.kind))
    )


def item_value(expressions: Values, entry: Entry) -> Value:
    """What is put into a container: a number, an array as such, a container that is memory."""
    if isinstance(entry, Box):
        return as_memory(expressions, entry)
    if isinstance(entry, Pack) and entry.cls is tuple:
        items = [item_value(expressions, item) for item in entry.items]
        keys = tuple(range(len(items)))
        form = containing.display_of(tuple, keys, [hole(k) for k in keys])
        return expressions.builder.holding(tuple, keys, items, form)
    if isinstance(entry, Pack) and is_made_of_fields(entry.cls):
        items = [item_value(expressions, item) for item in entry.items]
        own = name(expressions.unit.references.use(entry.cls.__name__, entry.cls))
        return by_name(expressions, entry.cls, dict(zip(entry.cls._fields, items)), own)  # type: ignore[attr-defined]
    value = expressions.as_value(entry)
    if containing.is_container(value.kind) or not containing.is_item(containing.plain(value.kind)):
        raise Again("a list of what are no numbers")
    return settled(expressions, value) if isinstance(value.kind, Numeric) else value


def held(expressions: Values, value: Value) -> Entry:
    """What a container holds, as an entry: a container by what it holds in turn."""
    kind = value.kind
    if isinstance(kind, Record) and kind.cls is tuple:
        parts = [expressions.builder.load(value, Window((key,)), []) for key in kind.keys]
        return Pack(tuple(held(expressions, part) for part in parts))
    if isinstance(kind, Record) and is_named_tuple(kind.cls):
        parts = [expressions.builder.load(value, Window((Named(key),)), []) for key in kind.keys]
        return Pack(tuple(held(expressions, part) for part in parts), kind.cls)
    if isinstance(kind, (Sequence, Mapping, Record)):
        box = Box(kind.cls, {MEMORY: value})
        expressions.unit.boxes.append(box)
        return box
    if not containing.is_item(kind) and kind != KEY:
        reason = "an item that may be anything"
        made = made_by(expressions, value)
        if made is not None and holds_nothing(made):  # the first iteration may put something there
            table, loops = isinstance(made.result.kind, Mapping), began_with(expressions.unit, made)
            loops = [loop for loop in loops if not goes_over(loop, made.result)]
            if loops and (table or not loops[0].certain):
                raise Again(reason, loops[0].key)
        raise Parts((Parts, made.origin if made is not None else None), reason)
    return constant(None) if isinstance(kind, Static) else value


def part(expressions: Values, box: Box, key: Value | Named) -> Entry:
    """An item of a container that is memory, by its key, or an attribute."""
    value = memory_of(box)
    assert value is not None
    return held(expressions, expressions.builder.load(value, *containing.window_at(key)))


def key_value(expressions: Values, box: Box, entry: Entry) -> Value:
    """A key by which a container that is memory is asked: numbers, texts, and tuples of these."""
    key = wanted(expressions, entry)
    hashable = is_key(key.kind) if box.cls is dict else is_place(key.kind)
    if not hashable:
        raise NotYet(f"a key of a {box.cls.__name__} that is no number and no text")
    return key


def wanted(expressions: Values, entry: Entry) -> Value:
    """What is looked for: a number, or a text, or nobody knows which."""
    key = expressions.as_value(entry)
    return key if key.kind == KEY else expressions.loaded(key)


def is_place(kind: Kind) -> bool:
    """Whether a value is a place in a list."""
    return isinstance(kind, Scalar) and kind.type in ("int", "bool")


def is_key(kind: Kind) -> bool:
    """Whether a value can be a key of a dict: it is compared by what it is."""
    if isinstance(kind, Record):
        return kind.cls is tuple and all(map(is_key, kind.items))
    known = isinstance(kind, Static) and isinstance(kind.value, (str, bytes, type(None)))
    return known or isinstance(kind, (Scalar, Text)) or kind == KEY


def keys_of(expressions: Values, box: Box) -> Box:
    """The keys that a dict has now, as a list of them."""
    table = as_memory(expressions, box)
    found = table.home.find().kinds.get(containing.KEYS, {})
    keys = expressions.builder.look(
        "list(_0)", Sequence(containing.joined(found)), table, primitive=KEYING
    )
    for kind in found:
        keys.home.note(None, kind)
    keys.hint = "keys"
    made = Box(list, {MEMORY: keys})
    expressions.unit.boxes.append(made)
    return made


def put_part(expressions: Values, box: Box, key: Value | Named, item: Value) -> None:
    """An item of a container that is memory is something else from now on."""
    value = memory_of(box)
    assert value is not None
    window, index = containing.window_at(key)
    if isinstance(key, Value) and box.cls is dict:
        note_key(value, key)
    own = containing.key_of(value.kind, window)
    if isinstance(key, Named) and own not in value.home.find().kinds:
        raise Again("an attribute that an object gets later")
    expressions.builder.put(value, item, window, index)


def note_key(value: Value, key: Value) -> None:
    """A dict has a key of a kind."""
    value.home.note(containing.KEYS, containing.plain(key.kind))
    value.kind = containing.contained(value)


def check_item(value: Value) -> None:
    """Items of one kind: numbers, or arrays of so many axes."""
    value.kind = containing.contained(value)
    if not isinstance(value.kind, Sequence):
        raise Again("a dict or an object that is memory as a value")
    if not isinstance(value.kind.item, (Array, Numeric, Scalar)):
        if isinstance(value.kind.item, Nullable) and isinstance(value.op, Apply):
            raise Parts((Parts, value.op.origin), "an item of a list that may be None")
        raise of_any_items()

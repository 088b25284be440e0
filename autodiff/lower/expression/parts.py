"""Lists and dicts whose parts are known, changed as Python changes them.

The same dict or list is changed here while compiling, with the entries in the place of the parts.
Where that happens in a block, `heap.moved` finds that a container has got other parts.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.core import NotYet, Raises, Value, constant
from autodiff.kinds.kind import Array, Numeric, Scalar, Sequence
from autodiff.lower.entries import boxes, outer
from autodiff.lower.entries.above import Expressions, Values
from autodiff.lower.entries.boxes import called
from autodiff.lower.entries.entry import (
    MEMORY,
    Box,
    DictView,
    Entries,
    Entry,
    Keywords,
    Outer,
    Pack,
)
from autodiff.lower.entries.library import measured, parts_of
from autodiff.lower.entries.listings import in_parts, stays_parts
from autodiff.lower.entries.lists import as_memory, is_shared, item_value, memory_of, put_part
from autodiff.lower.entries.spans import short_range
from autodiff.lower.recipes import container_recipes
from autodiff.lower.recipes import library_recipes as recipes
from autodiff.primitives.containing import KEYED


def on_parts(expressions: Expressions, box: Box, method: str, given: Entries) -> Entry:
    """What the method of Python's does with the entries, of a container whose parts are known."""
    keys: list[Any] = given[:1]
    rest = given[1:]
    if method in KEYED[box.cls]:
        keys = [expressions.unit.facts.exact(each) for each in keys]
        if box.cls is list and not method.startswith("__"):  # a place may be behind the end
            keys = [each.constant if isinstance(each, Value) else None for each in keys]
        else:
            keys = [boxes.key_of(box, each) for each in keys]
    if method == "__getitem__":
        return boxes.get(box, *keys)
    if method == "__setitem__":
        boxes.put(box, *keys, *rest)
        return constant(None)
    if method in ("get", "setdefault") and not rest:
        rest = [constant(None)]
    held: Any = dict(box.slots) if box.cls is dict else [*box.slots.values()]
    try:
        found: Any = getattr(held, method)(*keys, *rest)
    except (LookupError, TypeError):
        raise NotYet(f"a part that a {box.cls.__name__} does not have") from None
    box.slots = held if box.cls is dict else dict(enumerate(held))
    if method == "copy":
        return boxes.boxed(expressions.unit, box.cls, dict(box.slots))
    return constant(None) if found is None else found


def sorted_in_place(expressions: Expressions, box: Box, named: Keywords) -> Entry:
    """`xs.sort(key=f, reverse=r)`: the list holds what `sorted` gives."""
    found = called(expressions, container_recipes.in_order, box, named=named)
    assert isinstance(found, Box)
    if memory_of(box) is None and memory_of(found) is None:
        box.slots = dict(found.slots)
        return constant(None)
    as_memory(expressions, box)
    return called(expressions, container_recipes.replaced, box, found)


def updated(expressions: Values, box: Box, given: Entries, named: Keywords) -> Entry:
    """`d.update(e, x=y)`."""
    for other in given:
        table = other if isinstance(other, Box) and other.cls is dict else None
        if memory_of(box) is None and (table is None or memory_of(table) is None):
            box.slots = box.slots | entries(expressions, other)
            continue
        as_memory(expressions, box)
        recipe = (
            container_recipes.updated if table is not None else container_recipes.updated_by_pairs
        )
        called(expressions, recipe, box, other)
    for key, entry in named:
        if memory_of(box) is None:
            box.slots = box.slots | {key: entry}
        else:
            put_part(expressions, box, constant(key), item_value(expressions, entry))
    return constant(None)


def entries(expressions: Any, entry: Entry) -> dict[Any, Entry]:
    """The parts of what a dict is made of: another, or pairs."""
    if isinstance(entry, Box) and entry.cls is dict:
        check_known(entry)
        return dict(entry.slots)
    entry = outer.plainly(expressions, entry) if isinstance(entry, Outer) else entry
    if isinstance(entry, Outer) and entry.cls is dict:
        outer.check_lasting(expressions, entry)
        return {key: outer.item(expressions, entry, key) for key in entry.object}
    found: dict[Any, Entry] = {}
    for pair in expressions.parts(entry):
        key, value = expressions.parts(pair)
        if not isinstance(key, Value) or not key.is_constant:
            raise NotYet("a key that is found at run time")
        found[key.constant] = value
    return found


# Operators ---------------------------------------------------------------------------------------


def extended(expressions: Any, box: Box, other: Entry) -> None:
    """`xs += ys`: the list itself grows."""
    measured(expressions, other)
    other = parts_of(expressions, other)
    known = memory_of(box) is None and not is_shared(expressions.unit, box)
    if known and not is_of_unknown_length(other):
        for entry in expressions.parts(other):
            box.slots[len(box.slots)] = entry
        return
    if memory_of(box) is None and stays_parts(expressions, box.cls):  # so does what it is made of
        raise in_parts(expressions, other, "items whose number is not known")
    as_memory(expressions, box)
    if other is box:
        other = called(expressions, recipes.listed, box)
    called(expressions, recipes.extended, box, other)


def slice_of_parts(box: Box, limits: Pack) -> slice | None:
    """A slice that is known, of a list whose parts are known."""
    if memory_of(box) is not None or not all(
        isinstance(limit, Value) and isinstance(limit.constant, (int, type(None)))
        for limit in limits.items
    ):
        return None
    return slice(*(limit.constant for limit in limits.items))  # type: ignore[union-attr]


def part_replaced(expressions: Any, box: Box, limits: Pack, other: Entry | None) -> None:
    """`xs[first:stop:step] = ys`; of None, `del xs[first:stop:step]`."""
    if box.cls is not list:
        raise NotYet(f"a slice of a {box.cls.__name__} that is replaced")
    other = None if other is None else parts_of(expressions, other)
    known = slice_of_parts(box, limits)
    if known is not None and not (other is not None and is_of_unknown_length(other)):
        items = [*box.slots.values()]
        try:
            if other is None:
                del items[known]
            else:
                items[known] = expressions.parts(other)
        except ValueError:
            raise Raises(ValueError, "a store of so many items into a slice") from None
        if len(items) == len(box.slots) or not is_shared(expressions.unit, box):
            box.slots, box.stored = dict(enumerate(items)), True
            return
    raise NotYet("a store into a slice of a list")


def repeated(expressions: Values, items: list[Entry], times: Entry) -> Entry:
    """`[x] * n`."""
    if len(items) == 1:
        return called(expressions, recipes.repeated_items, items[0], times)
    row = boxes.boxed(expressions.unit, list, dict(enumerate(items)))
    return called(expressions, container_recipes.repeated_row, row, times)


def joined(expressions: Values, one: Entry, other: Entry, cls: type) -> Entry:
    """`xs + ys` of lists or tuples that are memory."""
    made = called(expressions, recipes.joined, one, other)
    assert isinstance(made, Box)
    return boxes.boxed(expressions.unit, cls, {MEMORY: as_memory(expressions, made)})


def is_of_unknown_length(entry: Entry) -> bool:
    """Whether something has to be gone over to make a list of it."""
    box = entry.box if isinstance(entry, DictView) else entry
    if isinstance(box, Box):
        return box.indexed and memory_of(box) is not None
    kind = box.kind if isinstance(box, Value) else None
    if isinstance(kind, Numeric):
        return True
    if isinstance(kind, Array):
        return bool(kind.shape) and not isinstance(kind.shape[0], int)
    if not isinstance(kind, Sequence) or not isinstance(kind.item, (Scalar, Array)):
        return False
    return short_range(entry) is None


def merged(expressions: Values, one: Box, other: Box) -> Entry:
    """`d | e`."""
    found = copied(expressions, one)
    updated(expressions, found, [other], [])
    return found


def copied(expressions: Values, box: Box) -> Box:
    """`d.copy()`."""
    if memory_of(box) is None:
        return boxes.boxed(expressions.unit, box.cls, dict(box.slots))
    made = called(expressions, container_recipes.copied, box)
    assert isinstance(made, Box)
    return made


def check_known(box: Box) -> None:
    """The parts of a container are known."""
    if box.memory is not None:
        raise NotYet(f"a {box.cls.__name__} that is memory, as its parts")


def as_array(expressions: Values, entry: Entry) -> Value:
    """A list of numbers beside an array, which NumPy makes an array of."""
    value = expressions.loaded(expressions.as_value(entry))
    return expressions.builder.call("np.asarray", np.asarray, value)

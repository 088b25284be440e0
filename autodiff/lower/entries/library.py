"""What a loop draws from: iterators as objects of ours, over what is given.

Combinations, permutations and products: of known parts while compiling, else by positions.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any

import numpy as np

from autodiff.core import NotYet, Value, constant
from autodiff.kinds.classes import class_attribute
from autodiff.kinds.kind import Array, Scalar, Static
from autodiff.lower.entries import boxes, outer, untouched
from autodiff.lower.entries.above import Expressions, Values
from autodiff.lower.entries.boxes import called
from autodiff.lower.entries.entry import (
    Box,
    DictView,
    Entries,
    Entry,
    Keywords,
    Outer,
    Pack,
    known_keys,
)
from autodiff.lower.entries.lists import fits, keys_of, memory_of
from autodiff.lower.entries.spans import short_range, spanned
from autodiff.lower.recipes import container_recipes, elements
from autodiff.lower.recipes import library_recipes as recipes
from autodiff.lower.recipes.iterators import Counting, Items, Iterator, OfDict, Repeating, Span
from autodiff.lower.recipes.only_called import Counterpart
from autodiff.primitives.opaque import is_opaque

Maker = Callable[["Expressions", Entries, Keywords], Entry]


def drawable(expressions: Expressions, entry: Entry) -> bool:
    """Whether a loop has to draw the items of an entry, which cannot be asked for by number."""
    if isinstance(entry, Value):
        return isinstance(entry.constant, str) or is_opaque(entry)
    if isinstance(entry, DictView):
        return True
    if isinstance(entry, Box):
        return not entry.indexed or entry.cls not in (list, tuple)
    if isinstance(entry, Outer):
        return boxes.special(expressions, entry, "__iter__") is not None
    return False


def is_accepted(entry: Entry, pattern: type) -> bool:
    """Whether a pattern of sequences, or of mappings, accepts what an entry stands for."""
    if isinstance(entry, (Pack, Box, Outer)) and not issubclass(entry.cls, (Counterpart, Iterator)):
        return issubclass(entry.cls, pattern)
    if isinstance(entry, Value) and (isinstance(entry.constant, (str, type(None)))):
        return False
    if isinstance(entry, Value) and isinstance(entry.kind, (Array, Scalar)):
        return False
    raise NotYet("a pattern of what is not known")


def is_iterator(entry: Entry) -> bool:
    """Whether an entry is an iterator of ours."""
    return isinstance(entry, Box) and issubclass(entry.cls, Iterator)


def method(expressions: Expressions, box: Box, name: str) -> Entry:
    """What a method of an iterator gives."""
    found = class_attribute(box.cls, name)
    if not isinstance(found, FunctionType):
        raise NotYet("an iterator that is asked for one item")
    return called(expressions, found, box)


def sources_of(box: Box) -> list[Entry]:
    """The iterators that an iterator draws from."""
    many = box.slots.get("sources")
    if isinstance(many, Pack):
        return list(many.items)
    own = box.slots.get("source")
    return [] if own is None else [own]


def leaves_of(box: Entry) -> list[Box] | None:
    """The iterators without a source from which one draws in the end; None if the number of its
    items is not known before.
    """
    found = _leaves(box)
    if found is None or all(leaf.cls is Counting for leaf in found):
        return None
    return found


def _leaves(box: Entry) -> list[Box] | None:
    if not isinstance(box, Box) or not getattr(box.cls, "counted", False):
        return None
    if box.cls is Repeating:
        return []
    if "source" not in box.slots and "sources" not in box.slots:
        return [box]
    found: list[Box] = []
    for source in sources_of(box):
        leaves = _leaves(source)
        if leaves is None:
            return None
        found += leaves
    return found


def iterator_of(expressions: Expressions, entry: Entry) -> Entry:
    """`iter(x)`."""
    if is_iterator(entry):
        return entry
    if isinstance(entry, Box) and entry.cls is np.flatiter:
        array = entry.slots["base"]
        axes = len(array.kind.shape) if isinstance(array, Value) else 0  # type: ignore[attr-defined]
        recipe = {1: elements.elements, 2: elements.elements_of_table}.get(axes)
        if recipe is None or "begun" in entry.slots:
            raise NotYet("an iterator over many axes, or one that is used again")
        entry.slots["begun"] = constant(True)
        return called(expressions, recipe, array)
    own = boxes.special(expressions, entry, "__iter__")
    if own is not None:
        made = expressions.unit.doors.inlined(expressions, own, [entry], [])
        if isinstance(made, Box) and (is_iterator(made) or made is not entry):
            return made
        if made is entry and boxes.special(expressions, entry, "__next__") is not None:
            return entry
        raise NotYet("an iterator of the user's")
    items, table = indexed(expressions, entry), entry.box if isinstance(entry, DictView) else entry
    if isinstance(table, Box) and table.cls is dict:
        return called(expressions, OfDict, items, table)
    return called(expressions, Items, items)


def indexed(expressions: Expressions, entry: Entry) -> Entry:
    """What has a length and items by position, as iterating over an entry gives them."""
    if isinstance(entry, Value):
        if isinstance(entry.constant, (str, tuple)):
            items = tuple(map(constant, entry.constant))
            found_later = expressions.unit.doors.names is None and fits(Pack(items))
            return later(expressions, Pack(items)) if found_later else Pack(items)
        named = outer.members(expressions, entry)
        if named is not None:
            return Pack(tuple(named.values()))
        span = spanned(expressions, entry)
        if span is not None:
            return span
        if is_opaque(entry) or isinstance(entry.kind, Static) or entry.is_constant:
            raise NotYet("items of an object")
        return entry
    if isinstance(entry, Box) and entry.cls is dict:
        entry = DictView(entry, "keys")
    if isinstance(entry, DictView):
        table = entry.box
        known = memory_of(table) is None
        keys = Pack(tuple(known_keys(table))) if known else keys_of(expressions, table)
        maker = {"values": container_recipes.Values, "items": container_recipes.Pairs}.get(
            entry.what
        )
        return keys if maker is None else called(expressions, maker, table, keys)
    if isinstance(entry, Box) and entry.cls not in (list, tuple, Span):
        raise NotYet("an iterator of the user's")
    if isinstance(entry, Outer):
        return untouched.sequence(expressions, entry)
    if isinstance(entry, (Pack, Box)):
        return entry
    raise NotYet("items of a function")


def later(expressions: Values, pack: Pack) -> Box:
    """A list of what a tuple holds, for one of which items are found at run time."""
    return boxes.boxed(expressions.unit, list, dict(enumerate(pack.items)), "items")


def measured(expressions: Values, entry: Entry) -> None:
    """Who makes a list of something asks for its length, which may have effects."""
    for word in ("__len__", "__length_hint__"):
        own = boxes.special(expressions, entry, word)
        if own is not None:
            called(expressions, own, entry)
            return


def parts_of(expressions: Values, entry: Entry) -> Entry:
    """An iterator, or an object that gives one, as the list of its items; others as they are."""
    flat = isinstance(entry, Box) and entry.cls is np.flatiter
    own = boxes.special(expressions, entry, "__iter__")
    if own is None and not flat and not is_iterator(entry):
        return entry
    return called(expressions, recipes.listed, entry)


_MOST = 64
"""So many tuples of parts are made while compiling."""


def pooled(expressions: Expressions, entry: Entry) -> Entry:
    """What functions make a tuple of before they begin."""
    return indexed(expressions, parts_of(expressions, entry))


def known(expressions: Expressions, entry: Entry) -> list[Entry] | None:
    """The parts of a pool that is known, None if they are to be found by position."""
    return list(entry.items) if isinstance(entry, (Pack, DictView)) else None


def written_out(expressions: Expressions, rows: Iterable[tuple[Entry, ...]]) -> Entry:
    """An iterator over tuples of parts."""
    found = [Pack(row) for row in itertools.islice(rows, _MOST + 1)]
    if len(found) > _MOST:
        raise NotYet("many combinations")
    return called(expressions, Items, Pack(tuple(found)))


def choosing(chosen: Callable[..., Any], by_index: Callable[[int], Any]) -> Maker:
    """`combinations`, `permutations`: of known parts while compiling, else by positions."""

    def made(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
        pool = pooled(expressions, given[0])
        number = given[1] if len(given) > 1 else dict(named).get("r", constant(None))
        count = number.constant if isinstance(number, Value) else ...
        if not isinstance(count, int) and count is not None:
            raise NotYet("combinations of a number that is found at run time")
        parts = known(expressions, pool)
        recipe = by_index(count) if count is not None else None
        if parts is None and recipe is None:
            short = short_range(given[0])
            parts = expressions.listed(pool) if short is None else [*map(constant, short)]
        if parts is not None:
            return written_out(expressions, chosen(parts, count or len(parts)))
        if recipe is None:
            raise NotYet(f"combinations of {count}")
        return called(expressions, recipe, pool)

    return made


def product(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """`itertools.product(xs, ys)`."""
    times = dict(named).get("repeat", constant(1))
    if not isinstance(times, Value) or type(times.constant) is not int:
        raise NotYet("a product of a number that is found at run time")
    pools = [pooled(expressions, entry) for entry in given] * times.constant
    parts = [known(expressions, pool) for pool in pools]
    if all(part is not None for part in parts):
        return written_out(expressions, itertools.product(*parts))  # type: ignore[arg-type]
    recipe = {2: recipes.grid, 3: recipes.grid_of_three}.get(len(pools))
    if recipe is None:
        raise NotYet("a product of many")
    return called(expressions, recipe, *pools)


def by_position(recipe: Callable[..., Any]) -> Maker:
    """What goes over a pool by positions."""

    def made(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
        return called(expressions, recipe, pooled(expressions, given[0]))

    return made

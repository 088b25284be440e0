"""Functions that make iterators or go over items, as functions and objects of ours."""

from __future__ import annotations

import collections
import copy
import functools
import inspect
import itertools
from collections.abc import Callable
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np

from autodiff.core import NotYet, Value, constant
from autodiff.kinds.kind import Nullable, Numeric, Record
from autodiff.lower.entries import boxes, library
from autodiff.lower.entries.above import Arguments, Expressions
from autodiff.lower.entries.entry import Box, DictView, Entries, Entry, Keywords, Pack
from autodiff.lower.entries.lists import memory_of
from autodiff.lower.entries.members import said
from autodiff.lower.expression import attributes, copies, having, over_arrays
from autodiff.lower.expression.answered import decided
from autodiff.lower.expression.asked_classes import instance, named_tuple
from autodiff.lower.expression.parts import is_of_unknown_length
from autodiff.lower.expression.places_of_arrays import numbered, places
from autodiff.lower.expression.searching import SEARCHES
from autodiff.lower.expression.selected import selected
from autodiff.lower.expression.sorting import in_order
from autodiff.lower.expression.sourced import SOURCES
from autodiff.lower.recipes import elements
from autodiff.lower.recipes import library_recipes as recipes
from autodiff.lower.recipes.array_recipes import new_array
from autodiff.lower.recipes.container_recipes import BY_KEY, itself, part_copied, places_in_order
from autodiff.lower.recipes.iterators import Backwards, Items, Mapped, Spread, Zipped
from autodiff.lower.recipes.uncounted import Filtered
from autodiff.primitives.containing import held_kind
from autodiff.rules.home import hashable


def standing_for(expressions: Expressions, target: Any, arguments: Arguments) -> Entry | None:
    """What a function that makes iterators gives, or one that is given one; None for others."""
    positional, named = arguments.positional, arguments.named
    if expressions.trusts:
        return None
    special = SPECIAL.get(target) if hashable(target) else None
    if special is not None:
        return special(expressions, positional, named)
    if not hashable(target):
        return None
    known = decided(target, positional, named)
    if known is not None:
        return known
    if target in (list, tuple, sorted) and positional:
        library.measured(expressions, positional[0])
    if target is np.ndarray:
        return boxes.called(expressions, new_array, *positional, named=named)
    text = said(positional[0], target) if target in (str, repr) and positional else None
    if text is not None and len(positional) == 1 and not named:
        return text
    method = of_builtin(expressions, target, positional)
    if method is not None:
        return boxes.called(expressions, method, *positional)
    if isinstance(target, np.vectorize) and not named:
        return over_arrays.of_object(expressions, target, positional)
    single = None if named else over_arrays.by_numba(expressions, target, positional)
    if single is not None:
        return single
    ours = recipes.DIRECT.get(target) or recipes.COUNTED.get((target, len(positional)))
    if ours is not None:
        return boxes.called(expressions, ours, *positional, named=named)
    by_name = dict(named)
    if target in BY_KEY and ("key" in by_name or "default" in by_name):
        return compared(expressions, target, positional, by_name)
    if not positional or target not in recipes.OVER_ITEMS and target not in recipes.OVER_LISTS:
        return None
    view = positional[0] if target not in (list, tuple) else None
    table = view.box if isinstance(view, DictView) else view
    if isinstance(table, Box) and table.cls is dict and memory_of(table) is not None:
        positional[0] = library.iterator_of(expressions, positional[0])
    one_by_one = library.is_iterator(positional[0]) or holds_any(positional[0])
    if one_by_one and target in recipes.OVER_ITEMS:
        return boxes.called(expressions, recipes.OVER_ITEMS[target], *positional, named=named)
    if library.is_iterator(positional[0]) or len(positional) == 1:
        if target is np.fromiter and len(positional) + len(named) > 2:
            raise NotYet("a number of items of an iterator, which has others")
        positional[0] = library.parts_of(expressions, positional[0])
    return None


def holds_any(entry: Entry) -> bool:
    """Whether a list that is memory holds numbers and arrays: it is not added up as a whole."""
    memory = memory_of(entry) if isinstance(entry, Box) and entry.indexed else None
    return memory is not None and isinstance(held_kind(memory, None), (Nullable, Numeric))


def compared(
    expressions: Expressions, target: Any, given: Entries, named: dict[str, Entry]
) -> Entry:
    """`max(items, key=f, default=x)`, `sorted(items, key=f)`."""
    items = library.parts_of(expressions, given[0]) if len(given) == 1 else Pack(tuple(given))
    key = named.pop("key", constant(None))
    if is_none(key):
        key = boxes.of_class(expressions, itself)
    if "default" in named:
        default = named.pop("default")
        if not expressions.parts(items):
            return default
    return boxes.called(expressions, BY_KEY[target], items, key, named=list(named.items()))


def of_builtin(expressions: Expressions, target: Any, positional: Entries) -> FunctionType | None:
    """The method by which the class of an object answers a builtin: `abs(o)` is `o.__abs__()`."""
    if getattr(target, "__module__", "") != "builtins" or not positional:
        return None
    words = [target.__name__, *(["repr"] if target is str else [])]
    found = (boxes.special(expressions, positional[0], f"__{word}__") for word in words)
    return next((method for method in found if method is not None), None)


def following(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """`next(it)`, `next(it, default)`."""
    own = boxes.special(expressions, given[0], "__next__")
    if own is None:
        raise NotYet("next of another object")
    if len(given) == 1:
        return boxes.called(expressions, own, *given, stores=True)
    if not library.is_iterator(given[0]):
        raise NotYet("next of another object")
    return boxes.called(expressions, recipes.next_or, *given)


def backwards(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """`reversed(xs)`."""
    if boxes.special(expressions, given[0], "__reversed__") is not None:
        raise NotYet("an iterator of the user's")
    return boxes.called(expressions, Backwards, library.indexed(expressions, given[0]))


def mapped(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """`map(f, xs, ys)`."""
    function, *sources = given
    if len(sources) == 1:
        return boxes.called(expressions, Mapped, *given)
    rows = zipped(expressions, sources, [])
    return boxes.called(expressions, Spread, function, rows)


def zipped(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """`zip(xs, ys)`."""
    strict = dict(named).get("strict", constant(False))
    if len(named) > 1 or named and named[0][0] != "strict":
        raise NotYet("a call that does not fit")
    if not isinstance(strict, Value) or strict.constant is not False:
        raise NotYet("zip of what is checked to be equally long")
    if not given:
        return boxes.called(expressions, Items, Pack(()))
    return boxes.called(expressions, Zipped, *given)


def columns(expressions: Expressions, rows: Entry) -> Entry:
    """`zip(*rows)`."""
    if not is_of_unknown_length(rows):
        return zipped(expressions, expressions.parts(rows), [])
    memory = memory_of(rows) if isinstance(rows, Box) else None
    kind = None if memory is None else held_kind(memory, None)
    if isinstance(kind, Record) and kind.cls is tuple:
        given = [rows, constant(len(kind.keys))]
        return boxes.called(expressions, elements.parts_by_place, *given)
    return boxes.called(expressions, elements.columns, rows)


def accumulating(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """`itertools.accumulate(xs, f, initial=a)`."""
    by_name = dict(named)
    initial = by_name.pop("initial", None)
    function = by_name.pop("func", given[1] if len(given) > 1 else None)
    if by_name:
        raise NotYet("a call that does not fit")
    own = [] if function is None or is_none(function) else [function]
    if initial is None or is_none(initial):
        return boxes.called(expressions, recipes.accumulated, given[0], *own)
    return boxes.called(expressions, recipes.accumulated_from, given[0], initial, *own)


def is_none(entry: Entry) -> bool:
    """Whether an entry is None."""
    return isinstance(entry, Value) and entry.constant is None


def filtering(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """`filter(f, xs)`."""
    function, items = given
    if is_none(function):
        return boxes.called(expressions, recipes.truthy, items)
    return boxes.called(expressions, Filtered, *given)


SPECIAL: dict[Any, Callable[..., Entry | None]] = {
    SimpleNamespace: attributes.namespace,
    vars: attributes.every,
    tuple.__new__: attributes.with_fields,
    **dict.fromkeys((object.__new__, list.__new__, dict.__new__), attributes.blank),
    inspect.signature: attributes.signature_of,
    next: following,
    zip: zipped,
    map: mapped,
    filter: filtering,
    reversed: backwards,
    getattr: attributes.held,
    hasattr: having.asked,
    callable: having.is_called,
    functools.update_wrapper: having.wrapping,
    setattr: attributes.stored,
    object.__getattribute__: attributes.held,
    object.__setattr__: attributes.stored_plainly,
    places_in_order: in_order,
    copy.copy: copies.copied,
    copy.deepcopy: copies.deep_copy,
    part_copied: copies.part_copied,
    np.ndenumerate: numbered,
    np.ndindex: places,
    **SEARCHES,
    **SOURCES,
    np.finfo: functools.partial(attributes.told_of_type, np.finfo),
    np.iinfo: functools.partial(attributes.told_of_type, np.iinfo),
    isinstance: instance,
    collections.namedtuple: named_tuple,
    np.vectorize: over_arrays.vectorize,
    np.frompyfunc: over_arrays.from_python,
    over_arrays.VECTORIZED: over_arrays.vectorized,
    np.apply_along_axis: over_arrays.along_axis,
    np.piecewise: over_arrays.piecewise,
    np.select: selected,
    itertools.accumulate: accumulating,
    itertools.combinations: library.choosing(
        itertools.combinations, {2: recipes.pairs, 3: recipes.triples}.get
    ),
    itertools.permutations: library.choosing(itertools.permutations, lambda count: None),
    itertools.product: library.product,
    itertools.cycle: library.by_position(recipes.cycled),
}
"""What stands for a function, by what it is given."""
if hasattr(itertools, "pairwise"):
    SPECIAL[itertools.pairwise] = library.by_position(recipes.neighbours)

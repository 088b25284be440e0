"""Combinations, permutations and products: of known parts while compiling, else by positions."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

from autodiff.core import NotYet, Value, constant
from autodiff.lower.entries.above import Expressions
from autodiff.lower.entries.boxes import called
from autodiff.lower.entries.entry import DictView, Entries, Entry, Keywords, Pack
from autodiff.lower.entries.library import Maker, indexed, parts_of
from autodiff.lower.recipes import library_recipes as recipes
from autodiff.lower.recipes.iterators import Items

_MOST = 64
"""So many tuples of parts are made while compiling."""


def pooled(expressions: Expressions, entry: Entry) -> Entry:
    """What functions make a tuple of before they begin."""
    return indexed(expressions, parts_of(expressions, entry))


def known(expressions: Expressions, entry: Entry) -> list[Entry] | None:
    """The parts of a pool that is known, None if they are to be found by position."""
    return list(entry.items) if isinstance(entry, (Pack, DictView)) else None


def written_out(expressions: Expressions, rows: Iterator[tuple[Entry, ...]]) -> Entry:
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
            parts = expressions.listed(pool)
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

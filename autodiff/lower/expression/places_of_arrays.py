"""Iterators over the places of arrays: `np.ndenumerate`, `np.ndindex`."""

from __future__ import annotations

from autodiff.core import NotYet, Value
from autodiff.kinds.kind import Array
from autodiff.lower.entries import boxes
from autodiff.lower.entries.above import Expressions
from autodiff.lower.entries.entry import Entries, Entry, Keywords, Pack
from autodiff.lower.recipes import elements


def numbered(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """`np.ndenumerate(a)`."""
    array = given[0]
    axes = (
        len(array.kind.shape) if isinstance(array, Value) and isinstance(array.kind, Array) else 0
    )
    recipe = {1: elements.numbered, 2: elements.numbered_table}.get(axes)
    if recipe is None:
        raise NotYet("a call of ndenumerate")
    return boxes.called(expressions, recipe, array)


def places(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """`np.ndindex(n, m)`."""
    sizes = list(given[0].items) if len(given) == 1 and isinstance(given[0], Pack) else given
    recipe = {1: elements.places, 2: elements.places_of_table}.get(len(sizes))
    if recipe is None:
        raise NotYet("a call of ndindex")
    return boxes.called(expressions, recipe, *sizes)

"""`iter(x)`, and what loops of our own go over: an iterator of ours, or one of the user's class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff.core import NotYet, constant
from autodiff.lower.entries import boxes, library
from autodiff.lower.entries.above import Expressions
from autodiff.lower.entries.entry import Box, Entries, Entry, Keywords, Pack
from autodiff.lower.recipes import iterators
from autodiff.lower.recipes.uncounted import Foreign


def iterating(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """`iter(x)`."""
    if len(given) != 1:
        raise NotYet("iter of a function")
    return library.iterator_of(expressions, given[0])


def source(expressions: Expressions, given: Entries, named: Keywords) -> Box:
    """An iterator that is asked whether it has one more item."""
    made = library.iterator_of(expressions, given[0])
    found = made if library.is_iterator(made) else boxes.called(expressions, Foreign, made)
    assert isinstance(found, Box)
    return found


def opened(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """What a loop goes over, and at which place it begins: what has places, or an iterator, which
    knows its own and may be one that others draw from.
    """
    made = source(expressions, given, named)
    held = made is given[0] or boxes.special(expressions, given[0], "__iter__") is not None
    if held or made.cls is not iterators.Items:
        return Pack((made, constant(None)))
    return Pack((made.slots["items"], constant(0)))


SOURCES: dict[Any, Callable[..., Entry | None]] = {
    iter: iterating,
    iterators.source_of: source,
    iterators.opened: opened,
}

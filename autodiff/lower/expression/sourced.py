"""`iter(x)`, and what loops of our own go over: an iterator of ours, or one of the user's class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff.core import NotYet
from autodiff.lower.entries import library
from autodiff.lower.entries.above import Expressions
from autodiff.lower.entries.entry import Box, Entries, Entry, Keywords
from autodiff.lower.recipes import iterators


def iterating(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """`iter(x)`."""
    if len(given) != 1:
        raise NotYet("iter of a function")
    return library.iterator_of(expressions, given[0])


def source(expressions: Expressions, given: Entries, named: Keywords) -> Box:
    """An iterator that is asked whether it has one more item."""
    made = library.iterator_of(expressions, given[0])
    if not isinstance(made, Box) or not library.is_iterator(made):
        raise NotYet("an iterator of the user's")
    return made


SOURCES: dict[Any, Callable[..., Entry | None]] = {
    iter: iterating,
    iterators.source_of: source,
}

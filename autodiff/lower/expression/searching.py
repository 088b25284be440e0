"""`items.index(x)`: an item is `x` if it is the same object or says that it is equal.

Places in sorted lists are looked for among numbers alone: others answer by code of the user's.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable
from typing import Any

import gast

from autodiff.core import NotYet, Value
from autodiff.kinds.kind import Scalar, is_inexact, number
from autodiff.lower.entries import boxes
from autodiff.lower.entries.above import Expressions
from autodiff.lower.entries.entry import Box, Entries, Entry, Keywords, Pack
from autodiff.lower.recipes import container_recipes


def is_equal(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """Whether an item of a container is a wanted one: the same object is, whatever it says."""
    if any(isinstance(each, Box) for each in given):
        return boxes.called(expressions, container_recipes.is_among, Pack((given[0],)), given[1])
    values = [each for each in given if isinstance(each, Value) and each.is_number]
    if len(values) == 2 and all(is_inexact(each.kind) for each in values):  # it may be NaN
        return expressions.builder.look("_0 is _1 or _0 == _1", number("bool"), *values)
    return expressions.compare(gast.Eq(), *given)


def among_numbers(expressions: Expressions, given: Entries, named: Keywords) -> None:
    """`bisect.bisect(items, x)` of numbers is called as it stands."""
    wanted = given[1] if len(given) > 1 else None
    if named or not isinstance(wanted, Value) or not isinstance(wanted.kind, Scalar):
        raise NotYet("a place among what are no numbers")


SEARCHES: dict[Any, Callable[..., Entry | None]] = {
    bisect.bisect_left: among_numbers,
    bisect.bisect_right: among_numbers,
    container_recipes.is_equal: is_equal,
}
"""What is made of a search."""

"""Places in sorted lists: `bisect.bisect(items, x)` of numbers is called as it stands; of anything
else, or by a key, it is its own text in Python, which asks the user's code how items compare.

`items.index(x)`: an item is `x` if it is the same object or says that it is equal.
"""

from __future__ import annotations

import bisect
import functools
from collections.abc import Callable
from typing import Any

import gast

from autodiff.core import Value
from autodiff.kinds.kind import Scalar, is_inexact, number
from autodiff.lower.entries import boxes
from autodiff.lower.entries.above import Expressions
from autodiff.lower.entries.entry import Box, Entries, Entry, Keywords, Pack
from autodiff.lower.recipes import container_recipes, heaps


def searched(
    recipe: Callable[..., Any],
    expressions: Expressions,
    positional: Entries,
    named: Keywords,
) -> Entry | None:
    """The place, found in Python; None where it is called as it stands."""
    wanted = positional[1] if len(positional) > 1 else dict(named).get("x")
    by_key = any(word == "key" for word, _ in named)
    if isinstance(wanted, Value) and isinstance(wanted.kind, Scalar) and not by_key:
        return None
    return boxes.called(expressions, recipe, *positional, named=named)


def is_equal(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """Whether an item of a container is a wanted one: the same object is, whatever it says."""
    if any(isinstance(each, Box) for each in given):
        return boxes.called(expressions, container_recipes.is_among, Pack((given[0],)), given[1])
    values = [each for each in given if isinstance(each, Value) and each.is_number]
    if len(values) == 2 and all(is_inexact(each.kind) for each in values):  # it may be NaN
        return expressions.builder.look("_0 is _1 or _0 == _1", number("bool"), *values)
    return expressions.compare(gast.Eq(), *given)


SEARCHES: dict[Any, Callable[..., Entry | None]] = {
    bisect.bisect_left: functools.partial(searched, heaps.before_equals),
    bisect.bisect_right: functools.partial(searched, heaps.behind_equals),
    container_recipes.is_equal: is_equal,
}
"""What is made of a search."""

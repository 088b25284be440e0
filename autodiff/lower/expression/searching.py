"""Places in sorted lists: `bisect.bisect(items, x)` of numbers is called as it stands; of anything
else, or by a key, it is its own text in Python, which asks the user's code how items compare.
"""

from __future__ import annotations

import bisect
import functools
from collections.abc import Callable
from typing import Any

from autodiff.analysis.kind import Scalar
from autodiff.core import Value
from autodiff.lower.entries import boxes
from autodiff.lower.entries.above import Expressions
from autodiff.lower.entries.entry import Entries, Entry, Keywords
from autodiff.lower.recipes import heaps


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


SEARCHES: dict[Any, Callable[..., Entry | None]] = {
    bisect.bisect_left: functools.partial(searched, heaps.before_equals),
    bisect.bisect_right: functools.partial(searched, heaps.behind_equals),
}
"""What is made of a search."""

"""Parts of ranges, which are ranges: `range(n)[::-1]`, `places[1:]`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast

from autodiff.core import Value
from autodiff.kinds.kind import Sequence
from autodiff.lower.entries import windows
from autodiff.lower.entries.boxes import called
from autodiff.lower.entries.entry import Entry
from autodiff.lower.entries.spans import range_ends
from autodiff.lower.flow.peeled import is_backwards
from autodiff.lower.recipes.ranges import part_of_range, range_backwards, stretch_of_range

if TYPE_CHECKING:
    from autodiff.lower.expression.containers import Containers


def part_of(expressions: Containers, value: Value, index: gast.expr) -> Entry | None:
    """`places[low:high:step]`; None for what is no slice of a range."""
    ends = range_ends(value) if isinstance(value.kind, Sequence) else None
    if ends is None:
        return None
    if isinstance(index, gast.Name):
        index = windows.constant_slice(expressions, index) or index
    if not isinstance(index, gast.Slice):
        return None
    limits = expressions.of_Slice(index)
    if is_backwards(index) and expressions.as_value(ends[2]).constant == 1:
        return called(expressions, range_backwards, *ends[:2])
    found = windows.ends_of(expressions, value, limits)
    recipe = part_of_range if len(found) > 2 else stretch_of_range
    return called(expressions, recipe, *ends, *found)

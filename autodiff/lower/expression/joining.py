"""`np.r_[...]` and `np.c_[...]`: what stands in the brackets, joined by functions of NumPy.

np.r_[x, 0.0, 1:5]              np.hstack((x, 0.0, np.arange(1, 5)))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast

from autodiff.analysis.joined import JOINING, joining_function
from autodiff.analysis.kind import Record
from autodiff.core.notyet import NotYet
from autodiff.core.value import Value, constant
from autodiff.lower.entries.boxes import called
from autodiff.lower.entries.entry import Box, Entry, Outer, Pack
from autodiff.lower.entries.windows import tuple_of
from autodiff.lower.recipes import array_recipes

if TYPE_CHECKING:
    from autodiff.lower.expression.values import Values


def joins(maker: Outer) -> bool:
    """Whether an object of outside is `np.r_` or `np.c_`."""
    return maker.cls in JOINING


def joined(expressions: Values, maker: Outer, index: Entry) -> Entry:
    """What it makes of an index."""
    several = isinstance(index, Pack) and index.cls is tuple
    parts = [part(expressions, each) for each in (tuple_of(index) if several else (index,))]
    kinds = [each.kind if isinstance(each, Value) else None for each in parts]
    places = gast.Subscript(None, gast.Tuple(elts=list(range(len(parts))), ctx=None), None)
    function = joining_function(places, Record(maker.cls, (), ()), kinds.__getitem__)
    if function is None:
        raise NotYet("arrays of unknown form that are joined by an index")
    return called(expressions, function, parts)


def part(expressions: Values, entry: Entry) -> Entry:
    """A part of the index as an array or a number."""
    if isinstance(entry, Box):
        return called(expressions, array_recipes.as_row, [entry])
    if not isinstance(entry, Pack) or entry.cls is not slice:
        return entry
    first, stop, step = entry.items
    first, step = (
        constant(default) if isinstance(limit, Value) and limit.constant is None else limit
        for limit, default in ((first, 0), (step, 1))
    )
    counted = isinstance(step, Value) and isinstance(step.constant, complex)
    if counted:
        step = constant(int(abs(step.constant)))  # type: ignore[union-attr]
    recipe = array_recipes.spread_out if counted else array_recipes.stepped
    return called(expressions, recipe, [first, stop, step])

"""Augmented assignment of names becomes plain assignment where that means the same.

    total += x * x          x_times_x = x * x
                            total = total + x_times_x

Numbers and tuples rebind by nature; an array is updated in place, which nobody can tell from a new
array as long as no other name shares its memory. A name that is computed from itself gets an
intermediate, so that in each statement a name means one value only.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import is_
from typing import Any

import gast

from autodiff.syntax.walk import shallow

_BLOCKS = ("body", "orelse", "finalbody", "handlers")


def within(node: gast.AST, block: Callable[[list[gast.stmt]], list[gast.stmt]]) -> Any:
    """The node with `block` applied to the blocks in it; itself if they are all as they were."""
    fields = {field: getattr(node, field, None) for field in _BLOCKS}
    made = {field: block(part) for field, part in fields.items() if part}
    if all(part is fields[field] for field, part in made.items()):
        return node
    new = shallow(node)
    for field, part in made.items():
        setattr(new, field, part)
    return new


def shared(new: list[gast.stmt], old: list[gast.stmt]) -> list[gast.stmt]:
    """The old list where the new one holds the same statements."""
    return old if len(new) == len(old) and all(map(is_, new, old)) else new

"""Numbers that follow from others which the reverse sweep has at hand, for native code."""

from __future__ import annotations

import math
from collections.abc import Callable, Set

import gast
import numpy as np

from autodiff.analysis.alias import Aliases
from autodiff.analysis.kind import Array, Scalar, Static
from autodiff.analysis.known import Kinds
from autodiff.reverse.items import Block, Step
from autodiff.syntax.names import reads
from autodiff.syntax.walk import walk


def followers(
    body: Block,
    free: Set[str],
    single: Set[str],
    lost: Set[str],
    is_cheap: Callable[[gast.Assign], bool],
    kinds: Kinds,
    aliases: Aliases,
) -> set[str]:
    """The names of `single` that a few operations make of elements that are read again, `free`.

    lost: names that another iteration sets to another value. A square root counts as cheap, and
    an element of an array that nobody changes.
    """
    found: set[str] = set()
    for item in body:
        if not isinstance(item, Step) or len(item.primal) != 1:
            continue
        statement = item.primal[0]
        target = statement.targets[0] if isinstance(statement, gast.Assign) else None
        if not isinstance(target, gast.Name) or target.id not in single:
            continue
        if not (
            is_cheap(statement)
            or _is_root(statement, kinds)
            or _is_element(statement, kinds, aliases)
        ):
            continue
        operands = {n for n in reads(statement.value) if n in kinds.local and n in lost}
        if operands <= free | found:
            found.add(target.id)
    return found


def _is_root(statement: gast.Assign, kinds: Kinds) -> bool:
    """Whether a statement takes the square root of a number."""
    value = statement.value
    function = kinds.known(value.func) if isinstance(value, gast.Call) else None
    is_root = isinstance(function, Static) and function.value in (math.sqrt, np.sqrt)
    return is_root and isinstance(kinds.known(value), Scalar)


def _is_element(statement: gast.Assign, kinds: Kinds, aliases: Aliases) -> bool:
    """Whether a statement takes a number from an array that nobody changes."""
    value = statement.value
    if not isinstance(value, gast.Subscript) or not isinstance(value.value, gast.Name):
        return False
    if not isinstance(kinds.known(value), Scalar) or aliases.is_changed(value.value.id):
        return False
    is_array = isinstance(kinds.names.get(value.value.id), Array)
    return is_array and not any(isinstance(node, gast.Call) for node in walk(value.slice))

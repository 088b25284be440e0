"""Sizes that a function tells of its arguments: by taking them apart, and by what it reads."""

from __future__ import annotations

from collections.abc import Iterator

import gast

from autodiff.analysis.kind import Array
from autodiff.analysis.known import Kinds
from autodiff.analysis.size import Dim, Size
from autodiff.pipeline.unit import Unit
from autodiff.syntax.walk import of_class


def told_sizes(unit: Unit, known: Kinds) -> frozenset[int]:
    """The sizes that axes may have which are taken apart, or read at places that are written out.

        x, y, z = state                 rate = np.array([s[1], -np.sin(s[0])])
                                        s = s + h * rate

    An argument of such a size is worth code of its own: with `s` of two numbers all sizes fit, and
    nothing may be broadcast. Sizes that are known are left out.
    """
    most: dict[tuple[str, int], int] = {}
    found = set()
    for statement in of_class(unit.tree, gast.Assign):
        target, value = statement.targets[0], statement.value
        if isinstance(target, gast.Tuple):
            for offset in _offsets(known, value, 0):
                found.add(len(target.elts) + offset)
    for node in of_class(unit.tree, gast.Subscript):
        if isinstance(node.value, gast.Name):
            for axis, place in _places(node.slice):
                for offset in _offsets(known, node.value, axis):
                    key = node.value.id, axis
                    most[key] = max(most.get(key, 0), place + 1 + offset)
    return frozenset(found | {*most.values()})


def _places(index: gast.expr) -> Iterator[tuple[int, int]]:
    """The places that an index says, with their axes."""
    parts = index.elts if isinstance(index, gast.Tuple) else [index]
    for axis, part in enumerate(parts):
        if isinstance(part, gast.Constant) and type(part.value) is int:
            yield axis, part.value
        elif not isinstance(part, (gast.Slice, gast.Name)):
            return  # a new axis, say


def _offsets(known: Kinds, array: gast.expr, axis: int) -> Iterator[int]:
    """How much shorter an axis is than the size after which it is called, where it is not known."""
    kind = known.of(array)
    if isinstance(kind, Array) and axis < len(kind.shape):
        size: Size = kind.shape[axis]
        if not isinstance(size, int):
            yield size.offset if isinstance(size, Dim) else 0  # in a loop nobody knows whose it is

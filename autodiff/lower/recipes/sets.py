"""Sets, and keys of dicts as sets. Nothing here runs when a derivative does."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, attr-defined"
from __future__ import annotations

from collections.abc import Set
from typing import Any

import gast

from autodiff.lower.recipes.holding import Holding


class Distinct(Holding):
    """A set. The order of its items is that of a hash table, which is known of small whole numbers
    alone (`library.iterator_of`). It holds, under each key, the first of what is equal, which may
    carry a derivative.
    """

    def __init__(self, items=()):
        self.held = {}
        self.update(items)

    def add(self, item):
        if item not in self.held:
            self.held[item] = item

    def update(self, *others):
        for items in others:
            for item in own(items):
                self.add(item)

    def remove(self, item):
        self.held.pop(item)

    def discard(self, item):
        if item in self.held:
            self.held.pop(item)

    def listed(self):
        return list(self.held.values())

    def copy(self):
        return Distinct(self.listed())

    def union(self, *others):
        made = self.copy()
        made.update(*others)
        return made

    def intersection(self, other):
        return common(self.listed(), own(other))

    def difference(self, other):
        return remaining(self.listed(), own(other))

    def symmetric_difference(self, other):
        return in_one_alone(self.listed(), own(other))

    def issubset(self, other):
        return len(self.difference(other)) == 0

    def issuperset(self, other):
        return len([item for item in own(other) if item not in self.held]) == 0

    def isdisjoint(self, other):
        return len(self.intersection(other)) == 0

    def __ior__(self, other):
        self.update(of_set(other))
        return self

    def __iand__(self, other):
        self.held = self.intersection(of_set(other)).held
        return self

    def __isub__(self, other):
        self.held = self.difference(of_set(other)).held
        return self

    def __ixor__(self, other):
        self.held = self.symmetric_difference(of_set(other)).held
        return self

    def __eq__(self, other):
        return len(self.held) == len(of_set(other)) and self.issubset(other)

    def __le__(self, other):
        return self.issubset(of_set(other))

    def __lt__(self, other):
        return len(self.held) < len(of_set(other)) and self.issubset(other)

    def __ge__(self, other):
        return self.issuperset(of_set(other))

    def __gt__(self, other):
        return len(self.held) > len(of_set(other)) and self.issuperset(other)

    __hash__: Any = None


def own(items):
    """The items of a set, or of another thing, in some order."""
    return items.listed() if isinstance(items, Distinct) else items


def of_set(other):
    """What an operator takes beside a set: another, or keys of a dict."""
    if not isinstance(other, Distinct) and not isinstance(other, Set):
        raise TypeError("unsupported operand type(s) of a set")
    return other


def united(keys, others):
    """`d.keys() | e.keys()`."""
    return Distinct([*keys, *others])


def common(keys, others):
    """`d.keys() & e.keys()`."""
    return Distinct([key for key in keys if key in others])


def remaining(keys, others):
    """`d.keys() - e.keys()`."""
    return Distinct([key for key in keys if key not in others])


def in_one_alone(keys, others):
    """`d.keys() ^ e.keys()`."""
    alone = [key for key in keys if key not in others]
    return Distinct(alone + [key for key in others if key not in keys])


OF_KEYS = {gast.BitOr: united, gast.BitAnd: common, gast.Sub: remaining, gast.BitXor: in_one_alone}

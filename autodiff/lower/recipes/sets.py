"""Sets, and keys of dicts as sets. Nothing here runs when a derivative does."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, attr-defined"
from __future__ import annotations

from collections.abc import Set
from typing import Any

import gast

from autodiff.lower.recipes.holding import Holding

TABLE = 8
"""Places of the smallest table of a set in CPython (`PySet_MINSIZE`)."""


class Distinct(Holding):
    """A set. It holds, under each key, the first of what is equal, which may carry a derivative.

    The order of its items is that of a hash table, which is known of small whole numbers alone
    (`listings.in_order`), and not if it is crowded: another item was there, or one that was taken
    out (gone) came back, which may have left a number in another place than its own.
    """

    def __init__(self, items=()):
        self.held, self.gone, self.crowded = {}, False, False
        self.update(items)

    def add(self, item):
        if item not in self.held:
            self.held[item] = item
            self.crowded = self.crowded or self.gone

    def update(self, *others):
        for items in others:
            for item in own(items):
                self.add(item)

    def remove(self, item):
        self.held.pop(item)
        self.gone = True
        self.crowded = self.crowded or crowds(item)

    def discard(self, item):
        if item in self.held:
            self.remove(item)

    def clear(self):
        self.held.clear()
        self.gone = self.crowded = False

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
        self.gone = self.crowded = False
        return self

    def __isub__(self, other):
        for item in own(of_set(other)):
            self.discard(item)
        return self

    def __ixor__(self, other):
        for item in own(of_set(other)):
            if item in self.held:
                self.remove(item)
            else:
                self.add(item)
        return self

    def __eq__(self, other):
        return is_set(other) and len(self.held) == len(other) and self.issubset(other)

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


def is_set(other):
    """Whether it is a set, or keys of a dict."""
    return isinstance(other, Distinct) or isinstance(other, Set)  # noqa: SIM101 (one of ours)


def of_set(other):
    """What an operator takes beside a set."""
    if not is_set(other):
        raise TypeError("unsupported operand type(s) of a set")
    return other


def crowds(item, places=TABLE):
    """Whether an item may have stood where a small whole number belongs."""
    return not isinstance(item, int) or item < 0 or item >= places


def united(keys, others):
    """`d.keys() | e.keys()`."""
    return Distinct([*keys, *others])


def common(keys, others):
    """`d.keys() & e.keys()`."""
    return Distinct([key for key in keys if key in others])


def remaining(keys, others):
    """`d.keys() - e.keys()`: a set of all keys, of which those are taken out."""
    return without(Distinct([key for key in keys if key not in others]), keys, others)


def in_one_alone(keys, others):
    """`d.keys() ^ e.keys()`."""
    alone = [key for key in keys if key not in others]
    return without(Distinct(alone + [key for key in others if key not in keys]), keys, others)


def without(made, keys, others):
    """A set where keys stood that are not there any more, as they are others, too."""
    made.gone = True
    made.crowded = len([key for key in keys if key in others and crowds(key)]) > 0
    return made


OF_KEYS = {gast.BitOr: united, gast.BitAnd: common, gast.Sub: remaining, gast.BitXor: in_one_alone}

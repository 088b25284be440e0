"""What methods of lists and dicts mean that are memory, written in Python and lowered like the
user's code: all of it comes down to items that are read, stored, put in and taken out.

`max`, `min` and `sorted` with a key, written in Python and lowered like the user's code.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

from collections.abc import Callable
from typing import Any


def part(items, first, stop):
    """`items[first:stop]`."""
    found = []
    for k in range(first, stop):
        found.append(items[k])
    return found


def each_of_part(items, first, stop, step):
    """`items[first:stop:step]`."""
    found = []
    for k in range(first, stop, step):
        found.append(items[k])
    return found


def rest(items, first, behind):
    """`rest` in `a, *rest, b = items`, where so many are asked for before and behind it."""
    if len(items) < first + behind:
        raise ValueError(f"not enough values to unpack (expected at least {first + behind})")
    return items[first : len(items) - behind]


def no_others(items, count):
    """What `f(*items)` leaves where so many parameters take one each: nothing."""
    if len(items) != count:
        raise TypeError(f"expected {count} more arguments, {len(items)} were given")
    return ()


def others(items, count):
    """What `f(*items)` leaves for `*rest` where so many parameters take one each before it."""
    if len(items) < count:
        raise TypeError(f"missing {count - len(items)} required positional arguments")
    return items[count:]


def is_equal(item, wanted):
    """Whether an item is a wanted one: `searching.is_equal`."""


def index(items, wanted):
    """`items.index(wanted)`."""
    for k in range(len(items)):
        if is_equal(items[k], wanted):
            return k
    raise ValueError("x not in list")


def removed(items, wanted):
    """`items.remove(wanted)`."""
    items.pop(index(items, wanted))


def counted(items, wanted):
    """`items.count(wanted)`."""
    count = 0
    for item in items:
        if is_equal(item, wanted):
            count = count + 1
    return count


def backwards(items):
    """`items.reverse()`."""
    for k in range(len(items) // 2):
        other = len(items) - 1 - k
        items[k], items[other] = items[other], items[k]


def in_order(items, key=None, reverse=False):
    """`items.sort(key=key, reverse=reverse)`."""
    return sorted(items, key=key, reverse=reverse)


def replaced(items, others):
    """Others in their places."""
    for k in range(len(others)):
        items[k] = others[k]


def emptied(items):
    """`items.clear()`."""
    for _ in range(len(items)):
        items.pop()


def value_or(table, key, default=None):
    """`table.get(key, default)`."""
    if key in table:
        return table[key]
    return default


def value_set(table, key, default=None):
    """`table.setdefault(key, default)`."""
    if key not in table:
        table[key] = default
    return table[key]


def popped_or(table, key, default):
    """`table.pop(key, default)`."""
    return table.pop(key) if key in table else default


def without_keys(table):
    """`table.clear()`."""
    for key in list(table):
        table.pop(key)


def updated(table, other):
    """`table.update(other)` of another dict."""
    for key in other:
        table[key] = other[key]


def updated_by_pairs(table, pairs):
    """`table.update(pairs)`."""
    for key, value in pairs:
        table[key] = value


def copied(table):
    """`table.copy()`."""
    found = {}
    for key in table:
        found[key] = table[key]
    return found


def part_copied(item):
    """A deep copy: `copies.part_copied`."""


def each_copied(items):
    """`copy.deepcopy(items)`."""
    found = []
    for item in items:
        found.append(part_copied(item))
    return found


def each_value_copied(table):
    """`copy.deepcopy(table)`."""
    found = {}
    for key in table:
        found[key] = part_copied(table[key])
    return found


def repeated_row(items, times):
    """`[*items] * times`."""
    found = []
    for _ in range(times):
        for item in items:
            found.append(item)
    return found


def with_keys(keys, value=None):
    """`dict.fromkeys(keys, value)`."""
    found = {}
    for key in keys:
        found[key] = value
    return found


class Values:
    """`table.values()`, in a loop: the keys are those of its beginning."""

    def __init__(self, table, keys):
        self.table, self.keys = table, keys

    def __len__(self):
        return len(self.keys)

    def __getitem__(self, k):
        return self.table[self.keys[k]]


class Pairs(Values):
    """`table.items()`, in a loop."""

    def __getitem__(self, k):
        key = self.keys[k]
        return key, self.table[key]


METHODS: dict[tuple[type, str, int], Callable[..., Any]] = {
    (list, "index", 1): index,
    (list, "remove", 1): removed,
    (list, "count", 1): counted,
    (list, "reverse", 0): backwards,
    (list, "clear", 0): emptied,
    (dict, "get", 1): value_or,
    (dict, "get", 2): value_or,
    (dict, "setdefault", 1): value_set,
    (dict, "setdefault", 2): value_set,
    (dict, "pop", 2): popped_or,
    (dict, "clear", 0): without_keys,
    (dict, "copy", 0): copied,
}
"""What a method of so many arguments means."""


def have_the_same(table, other):
    """`table == other`, of dicts."""
    if not other:
        return not table
    if len(table) != len(other):
        return False
    for key in table:
        if key not in other:
            return False
        if table[key] != other[key]:
            return False
    return True


def is_among(items, item):
    """`item in items`, of objects."""
    if not items:
        return False
    first, *rest = items
    return first is item or bool(first == item) or is_among(rest, item)


def itself(item):
    """The key of what is compared as it is."""
    return item


def largest(items, key):
    """`max(items, key=key)`."""
    source = iter(items)
    best = next(source)
    most = key(best)
    for item in source:
        value = key(item)
        if value > most:
            best, most = item, value
    return best


def least(items, key):
    """`min(items, key=key)`."""
    source = iter(items)
    best = next(source)
    fewest = key(best)
    for item in source:
        value = key(item)
        if value < fewest:
            best, fewest = item, value
    return best


def places_in_order(keys, reverse):
    """The places of keys, sorted: `makers.in_order`."""


def ordered(items, key, reverse=False):
    """`sorted(items, key=key, reverse=reverse)`."""
    found = [*items]
    order = places_in_order([key(item) for item in found], reverse)
    return [found[k] for k in order]


BY_KEY: dict[Any, Callable[..., Any]] = {max: largest, min: least, sorted: ordered}
"""What stands for a function that compares items by a key."""

"""`max`, `min` and `sorted` with a key, written in Python and lowered like the user's code."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from collections.abc import Callable
from typing import Any


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


def order_of(keys, reverse):
    """The places of keys, sorted: `makers.in_order`."""


def ordered(items, key, reverse=False):
    """`sorted(items, key=key, reverse=reverse)`."""
    found = [*items]
    order = order_of([key(item) for item in found], reverse)
    return [found[k] for k in order]


BY_KEY: dict[Any, Callable[..., Any]] = {max: largest, min: least, sorted: ordered}
"""What stands for a function that compares items by a key."""

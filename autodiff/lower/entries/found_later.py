"""Keys that are found at run time."""

from __future__ import annotations

from autodiff.core import ABSENT, Value
from autodiff.lower.entries.entry import Entry, Pack
from autodiff.lower.entries.lists import is_key
from autodiff.lower.entries.members import known_of


def is_found_later(item: Entry) -> bool:
    """Whether a number or text is not known that is looked for, or that is in a tuple."""
    if isinstance(item, Pack) and item.cls is tuple:
        keys = all(isinstance(each, Value) and is_key(each.kind) for each in item.items)
        return keys and any(map(is_found_later, item.items))
    known = isinstance(item, Value) and (item.is_constant or known_of(item) is not ABSENT)
    return isinstance(item, Value) and not known and is_key(item.kind)

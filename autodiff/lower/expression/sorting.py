"""`sorted`: the places of keys, in their order."""

from __future__ import annotations

from typing import Any

from autodiff.core import ABSENT, NotYet, Value, constant
from autodiff.kinds.kind import Array
from autodiff.lower.entries.above import Expressions
from autodiff.lower.entries.entry import Box, Entries, Entry, Keywords, Pack
from autodiff.lower.entries.lists import as_memory, is_key
from autodiff.primitives.containing import held_kind, joined
from autodiff.runtime import order_of


def in_order(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """The places of keys, in their order: of keys that are known, else as `sorted` finds it."""
    keys, backwards = expressions.listed(given[0]), given[1]
    known = None if keys is None else list(map(first_of, keys))
    if known is not None and ABSENT not in known and isinstance(backwards, Value):
        packs = sum(isinstance(key, Pack) for key in keys or ())
        apart = not packs or packs == len(known) == len(set(known))
        if apart and backwards.is_constant:
            try:
                places = sorted(
                    range(len(known)), key=known.__getitem__, reverse=backwards.constant
                )
            except TypeError:
                raise NotYet("items that cannot be sorted") from None
            return Pack(tuple(map(constant, places)))
    if keys is None:
        assert isinstance(given[0], Box)
        row = as_memory(expressions, given[0])
        count, item = None, held_kind(row, None)
    else:
        values = [expressions.loaded(expressions.as_value(key)) for key in keys]
        row = expressions.builder.display(list, tuple(range(len(values))), values)
        count, item = len(keys), joined(value.kind for value in values)
    if not (is_key(item) or isinstance(item, Array) and keys is not None):
        raise NotYet("items that cannot be sorted")
    own, kind = expressions.as_value(backwards), Array("int64", (count,))
    order = expressions.builder.call("order_of", order_of, row, own, kind=kind)
    order.op.reads = True  # type: ignore[union-attr]
    return order


def first_of(entry: Entry) -> Any:
    """What decides the place of a key that is known: of a tuple, its first part."""
    while isinstance(entry, Pack) and entry.cls is tuple and entry.items:
        entry = entry.items[0]
    return entry.constant if isinstance(entry, Value) else ABSENT

"""Places: names, and paths of keys into their fixed parts."""

from __future__ import annotations

import gast

from autodiff.kinds.kind import UNKNOWN, Kind, Record
from autodiff.kinds.known import Kinds
from autodiff.syntax.names import name

Place = tuple[str, tuple[object, ...]]


def leaves(kind: Kind) -> list[tuple[object, ...]]:
    """The paths to the parts of a kind that have no fixed parts themselves."""
    if not isinstance(kind, Record):
        return [()]
    return [(key, *path) for key, item in zip(kind.keys, kind.items) for path in leaves(item)]


def primal_at(place: Place, kinds: Kinds) -> gast.expr:
    """The expression of the primal value at a place: `params["w"][0]`."""
    node: gast.expr = name(place[0])
    kind = kinds.names.get(place[0], UNKNOWN)
    for key in place[1]:
        if isinstance(kind, Record) and not kind.indexed:
            node = gast.Attribute(value=node, attr=str(key), ctx=gast.Load())
        else:
            index = gast.Constant(value=key, kind=None)
            node = gast.Subscript(value=node, slice=index, ctx=gast.Load())
        kind = (kind.get(key) if isinstance(kind, Record) else None) or UNKNOWN
    return node

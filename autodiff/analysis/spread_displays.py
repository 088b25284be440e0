"""`[a, *xs, b]` of values that carry a derivative, as a sum of lists."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

import gast

from autodiff.analysis.kind import Record, Sequence
from autodiff.normalize.build import call
from autodiff.normalize.sites import Rewrite
from autodiff.syntax.names import reads

if TYPE_CHECKING:
    from autodiff.analysis.callees import Resolver


def spread_display(resolver: Resolver, value: gast.List | gast.Tuple) -> Rewrite | None:
    """`[a] + list(xs) + [b]`; `xs` itself if it is a list. Tuples alike."""
    starred = [isinstance(part, gast.Starred) for part in value.elts]
    if not any(starred) or not reads(value) & resolver.varied:
        return None
    cls = list if isinstance(value, gast.List) else tuple
    scope = resolver.kinds.scope
    if cls.__name__ in resolver.kinds.local or scope.meant(cls.__name__) is not cls:
        return None
    parts: list[gast.expr] = []
    for part, spread in zip(value.elts, starred):
        if not spread and parts and isinstance(parts[-1], type(value)):
            parts[-1].elts.append(part)
        elif not spread:
            parts.append(type(value)(elts=[part], ctx=gast.Load()))
        else:
            kind = resolver.kinds.of(part.value)
            own = isinstance(kind, (Record, Sequence)) and kind.cls is cls and len(starred) > 1
            inner = part.value
            parts.append(inner if own else call(cls.__name__, inner))

    def both(left: gast.expr, right: gast.expr) -> gast.expr:
        return gast.BinOp(left=left, op=gast.Add(), right=right)

    return Rewrite(reduce(both, parts))

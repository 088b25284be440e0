"""Frozen distributions: `stats.norm(a, b).logpdf(x)` is `stats.norm.logpdf(x, loc=a, scale=b)`."""

from __future__ import annotations

from typing import Any

import gast

from autodiff.analysis.distributions import names_of
from autodiff.analysis.kind import Bound, Kind, Record, Static
from autodiff.analysis.known import Kinds
from autodiff.analysis.unwound import item_of
from autodiff.normalize.sites import Direct
from autodiff.rules import registry


def frozen_call(value: gast.Call, kinds: Kinds) -> Direct | None:
    """The call of a method of a frozen distribution as one of the distribution itself."""
    if not isinstance(value.func, gast.Attribute):
        return None
    found = _frozen(kinds.of(value.func.value), value.func.value)
    if found is None or any(isinstance(a, gast.Starred) for a in value.args):
        return None
    distribution, given = found
    method = getattr(distribution, value.func.attr, None)
    if registry.rule_for(method) is None:
        return None
    own = [(str(keyword.arg), keyword.value) for keyword in value.keywords]
    return Direct(method, tuple(value.args), (*own, *given))


def _frozen(
    kind: Kind | None, node: gast.expr
) -> tuple[Any, tuple[tuple[str, gast.expr], ...]] | None:
    """A distribution, and the arguments that were frozen with it."""
    if isinstance(kind, Bound) and isinstance(kind.function, Static):
        distribution = kind.function.value
        if registry.is_receiver(distribution) and not kind.arguments:
            return distribution, kind.keywords
        return None
    if not isinstance(kind, Record) or kind.indexed or not isinstance(node, gast.Name):
        return None
    own, arguments, keywords = (kind.get(key) for key in ("dist", "args", "kwds"))
    cls = own.cls if isinstance(own, Record) else type(getattr(own, "value", None))
    distribution = registry.receiver_of(cls)
    if distribution is None or not isinstance(arguments, Record):
        return None
    if not isinstance(keywords, Record) or len(names_of(distribution)) < len(arguments.keys):
        return None
    parts = [gast.Attribute(value=node, attr=key, ctx=gast.Load()) for key in ("args", "kwds")]
    given = [(key, item_of(parts[0], k)) for k, key in enumerate(names_of(distribution))]
    more = [(str(key), item_of(parts[1], key)) for key in keywords.keys]
    return distribution, (*given[: len(arguments.keys)], *more)

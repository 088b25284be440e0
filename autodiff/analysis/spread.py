"""Starred arguments of library functions, one by one: `np.sum(x, *a, **k)` as `np.sum(x, a[0])`."""

from __future__ import annotations

import gast

from autodiff.analysis.kind import Kind, Record, Static
from autodiff.analysis.known import Kinds
from autodiff.analysis.unwound import item_of
from autodiff.normalize.sites import Rewrite
from autodiff.rules import registry


def spread(value: gast.Call, kinds: Kinds) -> Rewrite | None:
    """The call of a function with a rule, or a stand-in.

    None if nothing is starred, or its length is not known.
    """
    starred = [a for a in value.args if isinstance(a, gast.Starred)]
    doubly = [k for k in value.keywords if k.arg is None]
    if not starred and not doubly:
        return None
    callee = kinds.of(value.func)
    if not isinstance(callee, Static):
        return None
    if registry.rule_for(callee.value) is None and registry.written_for(callee.value) is None:
        return None
    arguments: list[gast.expr] = []
    for argument in value.args:
        if not isinstance(argument, gast.Starred):
            arguments.append(argument)
            continue
        kind = kinds.of(argument.value)
        if not _is_fixed(argument.value, kind) or kind.cls is dict:  # type: ignore[union-attr]
            return None
        arguments += [item_of(argument.value, key) for key in kind.keys]  # type: ignore[union-attr]
    keywords: list[gast.keyword] = []
    for keyword in value.keywords:
        if keyword.arg is not None:
            keywords.append(keyword)
            continue
        kind = kinds.of(keyword.value)
        if not _is_fixed(keyword.value, kind) or kind.cls is not dict:  # type: ignore[union-attr]
            return None
        if not all(isinstance(key, str) for key in kind.keys):  # type: ignore[union-attr]
            return None
        keywords += [
            gast.keyword(arg=key, value=item_of(keyword.value, key))
            for key in kind.keys  # type: ignore[union-attr]
        ]
    new = gast.Call(func=value.func, args=arguments, keywords=keywords)
    return Rewrite(gast.copy_location(new, value))


def _is_fixed(node: gast.expr, kind: Kind | None) -> bool:
    """Whether a name holds a tuple, list or dict of so many items."""
    return isinstance(node, gast.Name) and isinstance(kind, Record) and kind.indexed

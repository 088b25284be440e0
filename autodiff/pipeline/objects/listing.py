"""What a dict that is held by its parts consists of: `d.keys()`, `d.values()`, `len(d)`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast

from autodiff.analysis.kind import Static
from autodiff.analysis.objects import Parts
from autodiff.normalize.build import constant
from autodiff.reverse.definitions import certain_before
from autodiff.runtime import sequence
from autodiff.syntax.names import name, parameters, reads
from autodiff.syntax.walk import walk

if TYPE_CHECKING:
    from autodiff.pipeline.objects.rewriting import Rewriter


def listed(rewriter: Rewriter, statement: gast.stmt, value: gast.Call) -> gast.expr | None:
    """`d.keys()`, `sequence(d)`, `list(d)`, `len(d)` and `d.values()` of a dict."""
    word = None
    base: Any = None
    if isinstance(value.func, gast.Attribute) and not value.args and not value.keywords:
        base, word = value.func.value, value.func.attr
    elif isinstance(value.func, gast.Name) and len(value.args) == 1 and not value.keywords:
        base, word = value.args[0], value.func.id
    if word not in ("keys", "values", "sequence", "list", "len"):
        return None
    kind = rewriter.known.of(base) if isinstance(base, gast.Name) else None
    if word == "sequence" and isinstance(kind, Parts) and kind.cls in (list, tuple):
        own: gast.expr = base
        return own
    if not isinstance(kind, Parts) or kind.cls is not dict:
        return None
    keys = complete(rewriter, statement, kind)
    if keys is None:
        return None
    if word == "len":
        return constant(len(keys))
    if word != "values":
        return gast.List(elts=[constant(key) for key in keys], ctx=gast.Load())
    held = [rewriter.objects[kind.owner].fields[key] for key in keys]
    order = rewriter.order
    for variable in held:
        for store in order.stores.get(variable, ()):
            if order.may_follow(store, statement, order.making.get(kind.owner)):
                return None
    return gast.List(elts=[name(variable) for variable in held], ctx=gast.Load())


def complete(rewriter: Rewriter, statement: gast.stmt, kind: Parts) -> list[Any] | None:
    """The keys that a dict has at a statement; None if not all of them are certain."""
    made = rewriter.objects[kind.owner]
    for node in walk(rewriter.unit.tree):
        if isinstance(node, gast.Call) and not is_reading(rewriter, node):
            if any(rewriter.known.names.get(n) == kind for n in reads(node)):
                return None  # it may set further keys
        elif isinstance(node, gast.Subscript) and not isinstance(node.ctx, gast.Load):
            base = node.value
            if isinstance(base, gast.Name) and rewriter.known.names.get(base.id) == kind:
                return None  # it has not had its turn yet
    if not rewriter.certain:
        own = frozenset(parameters(rewriter.unit.tree.args))
        certain_before(rewriter.unit.tree.body, own, rewriter.certain)
    here = rewriter.certain.get(id(statement), frozenset())
    keys = []
    for key, variable in made.fields.items():
        if variable in here:
            keys.append(key)
            continue
        for store in rewriter.order.stores.get(variable, ()):
            if rewriter.order.may_follow(statement, store, rewriter.order.making.get(kind.owner)):
                return None  # it may be set before
    return keys


def is_reading(rewriter: Rewriter, node: gast.Call) -> bool:
    """Whether a call leaves the dict that it is called on as it is."""
    if isinstance(node.func, gast.Attribute):
        return node.func.attr in ("keys", "values", "items", "get", "copy") and not any(
            isinstance(rewriter.known.of(argument), Parts) for argument in node.args
        )
    callee = rewriter.known.of(node.func)
    return isinstance(callee, Static) and callee.value in (
        len, list, dict, sequence, sorted, print, isinstance, str, repr,
    )

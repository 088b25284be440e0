"""What a callable already holds: a bound method its object, a partial its arguments."""

from __future__ import annotations

import functools
import types
from typing import Any

import gast

from autodiff.kinds.classes import class_attribute
from autodiff.kinds.kind import Bound, Kind, Static
from autodiff.syntax.quote import quote


def bound(kind: Kind | None, node: gast.expr) -> Bound | None:
    """The kind of a method, a partial or an object to call, for what it holds; None for others."""
    if isinstance(kind, Bound):
        return kind
    value = kind.value if isinstance(kind, Static) else None
    cls = type(value) if isinstance(kind, Static) else getattr(kind, "cls", None)
    if isinstance(value, types.MethodType):
        return Bound(Static(value.__func__), (_at(node, ".__self__"),))
    if isinstance(value, functools.partial):
        own, keywords = partial_parts(value, node)
        inner = value.func
        if isinstance(inner, types.MethodType):
            own, inner = [_at(node, ".func.__self__"), *own], inner.__func__
        return Bound(Static(inner), tuple(own), tuple(keywords))
    call = None if cls is None else class_attribute(cls, "__call__")
    if isinstance(call, types.FunctionType) and not hasattr(cls, "__unbound__"):
        return Bound(Static(call), (node,))
    return None


def _at(node: gast.expr, path: str) -> gast.expr:
    return quote(f"f{path}", f=node)


def partial_parts(
    value: functools.partial[Any], node: gast.expr
) -> tuple[list[gast.expr], list[tuple[str, gast.expr]]]:
    """The arguments that a partial object holds, as expressions that read them from it."""
    arguments = gast.Attribute(value=node, attr="args", ctx=gast.Load())
    keywords = gast.Attribute(value=node, attr="keywords", ctx=gast.Load())
    return (
        [_held(item, arguments, key) for key, item in enumerate(value.args)],
        [(key, _held(item, keywords, key)) for key, item in value.keywords.items()],
    )


def _held(item: Any, base: gast.expr, key: Any) -> gast.expr:
    if type(item) in (bool, int, float, complex, str, type(None)):
        return gast.Constant(value=item, kind=None)
    return item_of(base, key)


def item_of(base: gast.expr, key: Any) -> gast.expr:
    """`base[key]`, read."""
    index = gast.Constant(value=key, kind=None)
    return gast.Subscript(value=base, slice=index, ctx=gast.Load())

"""Arguments of calls in templates, and the constants that they are."""

from __future__ import annotations

from typing import Any

import gast

from autodiff.analysis.kind import Kind, Record, Scalar, Static
from autodiff.analysis.known import Kinds


def argument(call: gast.Call, position: int, keyword: str) -> gast.expr | None:
    if len(call.args) > position:
        return call.args[position]
    return next((k.value for k in call.keywords if k.arg == keyword), None)


def literal(node: gast.expr | None, default: Any, kinds: Kinds) -> Any:
    """The constant that an expression is, lists as tuples; `Ellipsis` where it is none."""
    if node is None:
        return default
    if isinstance(node, gast.Constant):
        return node.value
    if isinstance(node, gast.UnaryOp) and isinstance(node.operand, gast.Constant):
        return -node.operand.value if isinstance(node.op, gast.USub) else ...
    if isinstance(node, (gast.Tuple, gast.List)):
        items = [literal(item, ..., kinds) for item in node.elts]
        return ... if ... in items else tuple(items)
    return _constant(kinds.known(node)) if isinstance(node, gast.Name) else ...


def _constant(kind: Kind) -> Any:
    """The value of a name that always holds the same: one that stands for a tuple of numbers."""
    if isinstance(kind, Scalar):
        return kind.value if type(kind.value) is int and kind.dtype is None else ...
    if isinstance(kind, Static):
        return kind.value if kind.value is None or isinstance(kind.value, str) else ...
    if isinstance(kind, Record) and kind.cls in (list, tuple) and kind.indexed:
        items = [_constant(item) for item in kind.items]
        return ... if ... in items else tuple(items)
    return ...

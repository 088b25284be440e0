"""Arguments of calls in templates, the constants that they are, and what kinds tell of them."""

from __future__ import annotations

from typing import Any

import gast

from autodiff.instantiate import numerals as literals
from autodiff.kinds.kind import Array, Kind, Record, Scalar, Sequence, Static
from autodiff.kinds.known import Kinds


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
    return _constant(kinds.of(node)) if isinstance(node, gast.Name) else ...


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


def known_identity(node: gast.Compare, kinds: Kinds) -> gast.expr:
    """`x is None` and `x is True` as constants, where the kind of `x` says what it cannot be."""
    if len(node.ops) != 1 or not isinstance(node.ops[0], (gast.Is, gast.IsNot)):
        return node
    other = node.comparators[0]
    if not isinstance(other, gast.Constant) or not literals.is_single(other.value):
        return node
    kind = kinds.of(node.left)
    if isinstance(kind, Static):
        same = kind.value is other.value
    elif isinstance(kind, Scalar) and other.value is not None and kind.type == "bool":
        return node
    elif isinstance(kind, (Array, Scalar, Record, Sequence)):
        same = False
    else:
        return node
    return gast.Constant(value=same is isinstance(node.ops[0], gast.Is), kind=None)

"""Statements that stand for several operations, and other ways of saying a thing."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from autodiff.analysis.kind import Record
from autodiff.core.operation import Apply, Operation
from autodiff.core.value import Value
from autodiff.primitives.table import ITEM


def unpacking(operations: list[Operation], at: int) -> list[Apply]:
    """The operations from a place on that take all parts of a container, in their order."""
    first = operations[at] if at < len(operations) else None
    if not isinstance(first, Apply) or first.primitive is not ITEM:
        return []
    kind = first.operands[0].kind
    if not isinstance(kind, Record) or len(kind.keys) < 2 or not kind.indexed or kind.cls is dict:
        return []
    parts = [op for op in operations[at : at + len(kind.keys)] if isinstance(op, Apply)]
    if len(parts) < len(kind.keys):
        return []
    for key, op in zip(kind.keys, parts):
        if op.primitive is not ITEM or op.operands[0] is not first.operands[0]:
            return []
        part = op.application.arguments[1] if len(op.application.arguments) == 2 else None
        if getattr(part, "value", None) != key or op.origin != first.origin:
            return []
    return parts


def is_taken_apart(operations: list[Operation], at: int, users: dict[Value, list[Any]]) -> bool:
    """Whether all that is done with what an operation gives is to take it apart, next."""
    op = operations[at]
    parts = unpacking(operations, at + 1) if isinstance(op, Apply) and op.results else []
    whole = parts[0].operands[0] if parts else None
    return whole is not None and op.result is whole and set(users.get(whole, ())) == set(parts)


def is_of_tuple(value: Value) -> bool:
    """Whether a value is an item of a tuple: `pair[0] += g` adds, and raises an error then."""
    whole = value.op.operands[0].kind if value.op is not None and value.op.operands else None
    return issubclass(getattr(whole, "cls", object), tuple)


def is_sum(op: Apply) -> bool:
    """Whether an operation adds up what is an array for sure."""
    return op.primitive.function is np.sum and any(value.is_array for value in op.operands[:1])


def by_method(node: Any) -> Any:
    """`np.sum(x, axis=0)` as `x.sum(axis=0)`, of names: a sum of an expression reads better as a
    function.
    """
    if not isinstance(node, gast.Call) or not node.args or not isinstance(node.args[0], gast.Name):
        return node
    func = gast.Attribute(node.args[0], "sum", gast.Load())
    return gast.Call(func, node.args[1:], node.keywords)

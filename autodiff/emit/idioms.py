"""Statements that stand for several operations, and other ways of saying a thing."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from autodiff.analysis.kind import Record
from autodiff.core.function import Function, depth
from autodiff.core.operation import Apply, For, Operation, Pop, Push
from autodiff.emit.places import LAST, Places
from autodiff.primitives.table import ITEM


def unpacking(operations: list[Operation], at: int) -> list[Apply]:
    """The operations from a place on that take all parts of a container, in their order."""
    first = operations[at]
    if not isinstance(first, Apply) or first.primitive is not ITEM:
        return []
    kind = first.operands[0].kind
    if not isinstance(kind, Record) or kind.cls not in (tuple, list) or len(kind.keys) < 2:
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


def is_sum(op: Apply) -> bool:
    """Whether an operation adds up what is an array for sure."""
    return op.primitive.function is np.sum and op.operands[0].is_array


def by_method(node: Any) -> Any:
    """`np.sum(x, axis=0)` as `x.sum(axis=0)`, of names: a sum of an expression reads better as a
    function.
    """
    if not isinstance(node, gast.Call) or not node.args or not isinstance(node.args[0], gast.Name):
        return node
    func = gast.Attribute(value=node.args[0], attr="sum", ctx=gast.Load())
    return gast.Call(func=func, args=node.args[1:], keywords=node.keywords)


def over_tape(function: Function, places: Places) -> For | None:
    """The loop of the reverse sweep that runs over the tape, `for y in reversed(tape):`.

    It begins by taking something from the tape, which holds nothing else, and asks for no number.
    """
    everything = list(function.body.walk())
    pops = [op for op in everything if isinstance(op, Pop)]
    if len(pops) != 1 or sum(isinstance(op, Push) for op in everything) != 1:
        return None
    block = pops[0].block
    loop = block.parent if block is not None else None
    if not isinstance(loop, For) or block is None or block.operations[0] is not pops[0]:
        return None
    if function.seeds is not None and any(
        places.is_written(value.region, places.boundary, LAST) for value in pops[0].results
    ):
        return None  # a pullback leaves what is on the tape as it is
    return None if places.users.get(loop.variable) or depth(loop.block) else loop

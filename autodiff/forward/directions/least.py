"""From how many directions on one sweep along all of them is faster than a sweep for each."""

from __future__ import annotations

import math

import gast

from autodiff.analysis.kind import Array, Scalar
from autodiff.forward.directions.batch import Batch
from autodiff.syntax.walk import children

_LOOP = 10
"""How often a loop is taken to run."""
_ARRAY, _VIEW = 30, 8
"""The cost of an operation of NumPy's, and of a view, in operations on Python's numbers."""


def least(batch: Batch, tree: gast.FunctionDef) -> int:
    """An estimate by counting operations, as the overheads are what such code spends its time on.

    Where tangents are arrays it is 1. Arithmetic on Python's numbers is much faster than that on
    short arrays, so a few directions are taken one by one.
    """
    single, several = _costs(batch, tree.body)
    return max(1, math.ceil(several / max(single, 1)))


def _costs(batch: Batch, node: gast.AST | list[gast.stmt]) -> tuple[int, int]:
    """The cost of some code along one direction, and along several at once."""
    parts = node if isinstance(node, list) else children(node)
    costs = [_costs(batch, part) for part in parts]
    single, several = sum(one for one, _ in costs), sum(other for _, other in costs)
    if isinstance(node, (gast.For, gast.While)):
        return _LOOP * single, _LOOP * several
    if isinstance(node, (gast.BinOp, gast.UnaryOp, gast.Call, gast.Subscript)):
        own = _cost(batch, node)
        carries = batch.carries(node)
        dear = _VIEW if isinstance(node, gast.Subscript) else _ARRAY
        return single + own, several + (max(own, dear) if carries else own)
    return single, several


def _cost(batch: Batch, node: gast.expr) -> int:
    """The cost of one operation along one direction."""
    kind = batch.kinds.known(node)
    if isinstance(node, gast.Subscript):
        return _VIEW if isinstance(kind, Array) else 3
    if isinstance(node, gast.Call):
        operation = batch.kinds.call_operation(node)
        module = getattr(operation and operation.function, "__module__", None)
        return 3 if module in ("math", "builtins") else _ARRAY
    if isinstance(kind, Scalar):
        return 1 if kind.dtype is None else 3  # NumPy's numbers are slower than Python's
    return _ARRAY

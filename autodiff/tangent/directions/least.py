"""From how many directions on one sweep along all of them pays."""

from __future__ import annotations

import math
from collections.abc import Mapping

from autodiff.core import Apply, Block, Function, Load, Loop, Operation, Value, View
from autodiff.kinds.kind import Array, Kind, Scalar
from autodiff.rules.home import module_of

_LOOP = 10
"""How often a loop is taken to run."""
_ARRAY, _VIEW = 30, 8
"""The cost of an operation of NumPy's, and of a view, in operations on Python's numbers."""
_HELD = 0
"""That of what holds or takes apart a container: it is the same along several directions."""


def least(function: Function, kinds: Mapping[Value, Kind]) -> int:
    """An estimate by counting operations, as the overheads are what such code spends its time on.
    kinds: those of tangents along one direction.

    Where tangents are arrays it is 1. Arithmetic on Python's numbers is much faster than that on
    short arrays, so a few directions are taken one by one.
    """
    single, several = costs(function.body, kinds)
    return max(1, math.ceil(several / max(single, 1)))


def costs(block: Block, kinds: Mapping[Value, Kind]) -> tuple[int, int]:
    """The cost of a block along one direction, and along several at once."""
    single = several = 0
    for op in block.operations:
        for inner in op.blocks:
            one, more = costs(inner, kinds)
            times = _LOOP if isinstance(op, Loop) else 1
            single, several = single + times * one, several + times * more
        own = cost(op, kinds)
        dear = _VIEW if isinstance(op, (Load, View)) else _ARRAY
        wide = own > _HELD and any(value in kinds for value in op.results)
        single, several = single + own, several + (max(own, dear) if wide else own)
    return single, several


def cost(op: Operation, kinds: Mapping[Value, Kind]) -> int:
    """The cost of one operation along one direction."""
    if not isinstance(op, (Apply, Load, View)) or isinstance(op, Load) and op.window is None:
        return 0
    if isinstance(op, Apply) and op.primitive.function is None:
        return _HELD
    kind = kinds.get(op.result, op.result.kind)
    if isinstance(op, (Load, View)):
        return _VIEW if isinstance(kind, Array) else 3
    if isinstance(kind, Scalar) and op.primitive.elementwise:
        if not module_of(op.primitive.function).startswith("numpy"):
            return 1 if kind.dtype is None else 3  # NumPy's numbers are slower than Python's
    return _ARRAY

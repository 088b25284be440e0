"""Adjoint memory in which each iteration only leaves what it takes itself is not needed."""

from __future__ import annotations

from autodiff.core import Accumulate, Function, Load, Operation, References, Value, unite, users
from autodiff.dataflow.settle import rename
from autodiff.lean.late import is_zeros
from autodiff.lean.merged import is_clearing, is_same_place


def forwarded(function: Function, references: References) -> None:
    """What is added to zeros, read there and cleared again is used at once.

    before: `i_bar = np.zeros_like(i)`, `for ...: i_bar[t] += g`, `h = i_bar[t]`, `i_bar[t] = 0.0`
    after: `for ...: h = g`
    """
    used, swapped = users(function), dict[Value, Value]()
    for made in [op for op in function.body.walk() if is_zeros(op)]:
        found = used.get(made.result, [])
        first = found[0] if len(found) == 3 else None
        if not isinstance(first, Operation) or not first.reverse:
            continue
        order = [op for op in first.block.operations if op in found]
        if len(order) == 3 and is_passage(*order):
            add, load, _ = order
            assert isinstance(add, Accumulate)
            unite(load.result, add.value)  # views of the one are views of the other now
            swapped[load.result] = swapped.get(add.value, add.value)
            for op in order:
                first.block.operations.remove(op)
    rename(function, swapped)


def is_passage(add: Operation, load: Operation, clear: Operation) -> bool:
    """Whether something is added at a place, read there, and cleared."""
    if not isinstance(add, Accumulate) or not isinstance(load, Load):
        return False
    if not is_clearing(clear) or add.scattered or add.sign != "+":
        return False
    same = is_same_place(add, clear) and is_same_place(load, clear)
    return same and add.value.kind == load.result.kind

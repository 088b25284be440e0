"""What a call is given where its pullback, or whoever calls it again, reads that later."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from autodiff.core import Value
from autodiff.core.statements import Call
from autodiff.emit.names import hint
from autodiff.kinds.kind import Array, Record
from autodiff.primitives import Builder
from autodiff.primitives.containing import is_container
from autodiff.runtime import copied, duplicates, replica

if TYPE_CHECKING:
    from autodiff.reversal.sweep import Sweep


@contextmanager
def in_front(sweep: Sweep, op: Call) -> Iterator[Builder]:
    """A builder for what stands in front of a call, in the forward sweep."""
    block, function = op.block, sweep.unit.function
    at = block.operations.index(op)
    rest, block.operations = block.operations[at:], block.operations[:at]
    before = block.operations[-1].number if at else op.number - 1
    yield Builder(block, sweep.unit.references, op.origin)
    for made in block.operations[at:]:
        made.number = before = (before + op.number) / 2
    if block is function.body and function.boundary is not None:
        function.boundary += len(block.operations) - at
    block.operations += rest


def lasting_together(sweep: Sweep, op: Call, values: list[Value]) -> list[Value]:
    """Copies that share memory among each other as the values do."""
    kind = Record(tuple, tuple(range(len(values))), tuple(value.kind for value in values))
    with in_front(sweep, op) as builder:
        whole = builder.call("duplicates", duplicates, *values, kind=kind)
        made = [builder.item(whole, k, value.kind) for k, value in enumerate(values)]
    for own, value in zip(made, values):
        own.hint = hint(value)
    return made


def lasting(sweep: Sweep, op: Call, value: Value) -> Value:
    """A copy of memory that changes: a pullback reads what its function was given."""
    way: tuple[str, Any] = ("copied", copied) if is_container(value.kind) else (".copy", np.copy)
    if op.laid_out and isinstance(value.kind, Array):
        way = "replica", replica
    with in_front(sweep, op) as builder:
        return builder.call(*way, value, name_hint=hint(value), kind=value.kind)

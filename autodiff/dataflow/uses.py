"""Who uses a value."""

from __future__ import annotations

from collections.abc import Iterator

from autodiff.core.function import Built, Function
from autodiff.core.operation import Block, Operation
from autodiff.core.value import Value

User = Operation | Block


def users(function: Function) -> dict[Value, list[User]]:
    """The operations that have a value for an operand, and the blocks whose result it is."""
    found: dict[Value, list[User]] = {}
    for block in function.body.blocks():
        for op in block.operations:
            for value in op.operands:
                found.setdefault(value, []).append(op)
        for value in block.results:
            found.setdefault(value, []).append(block)
    for value in outputs(function):
        found.setdefault(value, []).append(function.body)
    return found


def outputs(function: Function) -> Iterator[Value]:
    """The values that a function returns."""
    yield from values_in(function.result)
    yield from values_in(function.outputs)


def values_in(structure: object) -> Iterator[Value]:
    """The values in a structure."""
    if isinstance(structure, Value):
        yield structure
        return
    if isinstance(structure, Built) and structure.like is not None:
        yield structure.like
    parts = structure.items if isinstance(structure, Built) else structure
    if isinstance(parts, (tuple, list)):
        for item in parts:
            yield from values_in(item)

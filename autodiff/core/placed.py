"""Where operations stand."""

from __future__ import annotations

from autodiff.core.operation import Block, Operation


def placed(block: Block, operations: list[Operation]) -> None:
    """Operations stand in a block now."""
    for op in operations:
        op.block = block
        for value in op.results:
            value.block = block

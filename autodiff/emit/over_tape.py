"""Loops over the tape."""

from __future__ import annotations

from autodiff.core import Function, constant, depth, users
from autodiff.core.operation import For
from autodiff.core.statements import Pop, Push

_MOST = 6
"""So many values stand in the head of a loop."""


def over_tape(function: Function) -> For | None:
    """The loop that begins by taking something off the tape, which holds nothing else."""
    everything = list(function.body.walk())
    pops = [op for op in everything if isinstance(op, Pop)]
    if len(pops) != 1 or sum(isinstance(op, Push) for op in everything) != 1:
        return None
    block, loop = pops[0].block, pops[0].block.parent
    if not isinstance(loop, For) or block.operations[0] is not pops[0]:
        return None
    if len(pops[0].results) > _MOST and not loop.over.is_constant:
        return None
    if function.seeds is not None and any(
        op.reverse and value.region is not None and not op.blocks and op.writes(value.region)
        for op in everything
        for value in pops[0].results
    ):
        return None  # a pullback leaves what is on the tape as it is
    return None if users(function).get(loop.variable) or depth(loop.block) else loop


def uncounted(function: Function) -> None:
    """A loop over the tape need not know how often it runs: what came last comes first."""
    loop = over_tape(function)
    if loop is not None:
        loop.operands[0], loop.backwards = constant(()), True

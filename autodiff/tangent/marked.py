"""Tangents that are differentiated again, as text: their loops stay checkpointed.

with checkpointed(snapshots=2):
    for t in range(n):
        u_dot = ...
        u = ...
"""

from __future__ import annotations

import gast

from autodiff.core import NotYet, Operation, Value
from autodiff.core.statements import Context
from autodiff.lower.flow.frame import Unit
from autodiff.runtime.checkpoints import checkpointed
from autodiff.syntax.names import name


def mark(unit: Unit) -> None:
    """Loops that the function marks have their marks in the text."""
    for op, count in unit.checkpointed.items():
        own = name(unit.references.use("checkpointed", checkpointed))
        keyword = gast.keyword(arg="snapshots", value=spelled(unit, count))
        form = gast.Call(func=own, args=[], keywords=[keyword])
        op.contexts = (*op.contexts, Context(form, False))


def spelled(unit: Unit, count: Value) -> gast.expr:
    """How many states, as it is written at the loop: a constant, or an argument."""
    if count.is_constant:
        return gast.Constant(value=count.constant, kind=None)
    body = unit.function.body
    made = (v for op in body.walk() for v in (*op.results, *bound_by(op)))
    alike = [v for v in (*body.parameters, *made) if v.hint == count.hint]
    if alike != [count]:  # else no other variable takes its name
        raise NotYet("a tangent of checkpointed loops that is differentiated again")
    return name(count.hint)


def bound_by(op: Operation) -> list[Value]:
    """The parameters of blocks."""
    return [value for block in op.blocks for value in block.parameters]

"""The reverse sweep of a function whose derivative is taken inside of another, or is differentiated
again: operations like others.
"""

from __future__ import annotations

from dataclasses import replace

from autodiff.core import Function, NotYet, Value
from autodiff.dataflow.dead import remove_dead
from autodiff.lean.lean import lean_inner, lean_sweep
from autodiff.lower.flow.frame import Unit
from autodiff.primitives import is_world
from autodiff.reversal.differentiate import differentiate
from autodiff.reversal.ordinary import ordinary
from autodiff.reversal.placing import record


def with_reverse_sweep(unit: Unit, function: Function, wrt: list[Value], form: str) -> None:
    """Appends the reverse sweep to a function that is called inside of another."""
    if any(map(is_world, function.body.walk())):
        raise NotYet("a derivative inside of what nothing is known")
    for op in function.body.walk():  # a second derivative keeps all states
        unit.unmarked |= unit.checkpointed.pop(op, None) is not None
        unit.again = [own for own in unit.again if op not in own[2]]
    differentiate(replace(unit, function=function, entry=set()), wrt, form)
    lean_sweep(function, unit.references)
    record(function)
    remove_dead(function)
    lean_inner(function, unit.references)
    ordinary(function, unit.references)

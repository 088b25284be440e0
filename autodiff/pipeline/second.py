"""A function with its reverse sweep is one like others, which is differentiated again: the
derivative that another is taken of, and one that is called inside of a function.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from autodiff.core import Built, Function, NotYet, Value
from autodiff.dataflow.dead import remove_dead
from autodiff.lean.lean import lean_inner, lean_sweep
from autodiff.lower.flow.frame import Unit
from autodiff.primitives import is_world
from autodiff.reversal.custom_rules import without_insertions
from autodiff.reversal.differentiate import differentiate
from autodiff.reversal.ordinary import ordinary, take_apart
from autodiff.reversal.placing import record
from autodiff.reversal.pulled import enter
from autodiff.reversal.reopened import ajar
from autodiff.reversal.unfolded import unfold
from autodiff.tangent.inlined_helpers import open_helpers

if TYPE_CHECKING:
    from autodiff.core.step import Step


def composed(unit: Unit, wrt: list[Value], step: Step) -> None:
    """Makes of a function its derivative."""
    function = unit.function
    swept(unit, wrt, "vjp" if step.mode == "adjoints" else step.mode, step.has_aux)
    if step.mode == "adjoints":
        enter(unit, function)
    slopes = function.outputs
    slopes = slopes[0] if step.single else Built(tuple, tuple(range(len(slopes))), tuple(slopes))
    pair = (slopes, function.result) if step.mode == "grad" else (function.result, slopes)
    function.result = slopes if None in pair else Built(tuple, (0, 1), pair)
    function.outputs = function.boundary = None


def with_reverse_sweep(unit: Unit, function: Function, wrt: list[Value], form: str) -> None:
    """Appends the reverse sweep to a function that is called inside of another."""
    if any(map(is_world, function.body.walk())):
        raise NotYet("a derivative inside of what nothing is known")
    swept(replace(unit, function=function, entry=set()), wrt, form)


def swept(unit: Unit, wrt: list[Value], form: str, aux: bool = False) -> None:
    """Appends the reverse sweep to a function, as operations like others."""
    function = unit.function
    for op in function.body.walk():  # a second derivative keeps all states
        unit.unmarked |= unit.checkpointed.pop(op, None) is not None
        unit.again = [own for own in unit.again if op not in own[2]]
    function.ordinary = True
    differentiate(unit, wrt, form, aux)
    without_insertions(function)
    lean_sweep(function, unit.references)
    record(function)
    remove_dead(function)
    lean_inner(function, unit.references)
    items_again(unit)
    ajar(function, unit.references)
    unfold(unit)
    open_helpers(unit, function, function.body.parameters)
    take_apart(unit)
    remove_dead(function)
    items_again(unit)
    ordinary(unit)
    function.ordinary = False


def items_again(unit: Unit) -> None:
    """Items of what gives several values that nobody has read so far: rules may."""
    function = unit.function
    for block in function.body.blocks():
        for op in [*block.operations]:
            for whole in (value for value in op.results if value in unit.results):
                for part in unit.results[whole].items:
                    item = part.op if isinstance(part, Value) else None
                    if item is not None and item not in block.operations:
                        block.operations.insert(block.operations.index(op) + 1, item)
                        if block is function.body and not op.reverse and function.boundary:
                            function.boundary += 1

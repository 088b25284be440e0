"""A function as Core, for arguments of given kinds."""

from __future__ import annotations

from collections.abc import Sequence
from types import FunctionType
from typing import Any

from autodiff.analysis.kind import Kind
from autodiff.analysis.size import Told
from autodiff.core.function import Function, References
from autodiff.core.notyet import NotYet, Raises, Unseen
from autodiff.core.value import Value, constant
from autodiff.lower.entries.boxes import opened
from autodiff.lower.entries.cells import begin
from autodiff.lower.entries.outer import reading
from autodiff.lower.entries.returning import returned
from autodiff.lower.entries.unfolding import unfolded
from autodiff.lower.flow.branches import raising
from autodiff.lower.flow.form import form_of
from autodiff.lower.flow.frame import Doors, Frame, Unit
from autodiff.lower.flow.opaque import may_change
from autodiff.lower.statement.statements import Statements
from autodiff.primitives.applying import born
from autodiff.primitives.builder import Builder
from autodiff.syntax.names import parameters

_BINDS = (
    "a function is made whose defaults are computed",
    "what they were is known where it is called by its name",
    "keep the values, and pass them to one function",
)


def lower(
    function: FunctionType,
    kinds: tuple[Kind, ...],
    doors: Doors,
    asked: frozenset[Told] = frozenset(),
    calls: Sequence[tuple[Any, Any]] = (),
) -> Unit:
    """The function in Core; `NotYet` where something in it is not taken.

    calls: the functions around it, from the outermost on.
    """
    form = form_of(function, doors.drawing)
    assert form.namespace is not None
    names = parameters(form.tree.args)
    if len(names) != len(kinds):
        raise NotYet("a call that does not fit")
    made = Function(form.tree.name)
    own = form.tree.args
    made.forms = [""] * len((*own.posonlyargs, *own.args)) + ["*"] * bool(own.vararg)
    made.forms += ["keyword"] * len(own.kwonlyargs) + ["**"] * bool(own.kwarg)
    unit = Unit(made, form.namespace, References(), doors, asked=asked)
    frame = Frame(unit, form)
    frame.builder = Builder(made.body, unit.references)
    unit.frames.append(frame)
    for identifier, kind in zip(names, kinds):
        value: Value = born(identifier, kind, named=True)
        if value.memory is not None:
            value.memory.given = True
        made.body.parameter(value)
        frame.names[identifier] = opened(unit, value, identifier)
    statements = Statements(frame)
    begin(statements, reading)
    unit.calls = [*calls]
    unit.calls.append(unfolded(unit, function.__code__, frame.names))
    top = frame.builder
    try:
        made.result = returned(statements.function())
    except Raises as error:
        frame.builder = top
        top.add(raising(statements, error))
        made.result = constant(0.0)
    except NotYet as reason:
        if unit.binds is not None:
            raise Unseen(unit.binds, *_BINDS) from reason
        if type(reason) is NotYet and unit.unseen and may_change(unit):
            raise Unseen(unit.unseen) from reason
        raise
    return unit

"""A function as Core, for arguments of given kinds.

A function of Python's and all that it calls as Core.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import FunctionType
from typing import Any

from autodiff.core import (
    Function,
    Left,
    NotYet,
    Raises,
    References,
    Reread,
    Unseen,
    handed,
)
from autodiff.core.value import Value, constant
from autodiff.kinds.kind import Kind
from autodiff.kinds.size import Told
from autodiff.lower.entries.boxes import opened
from autodiff.lower.entries.callables import unfolded
from autodiff.lower.entries.cells import begin
from autodiff.lower.entries.entry import Entry, Pack
from autodiff.lower.entries.outer import owner, reading
from autodiff.lower.flow.branches import raising
from autodiff.lower.flow.doors import Doors, Work
from autodiff.lower.flow.form import form_of
from autodiff.lower.flow.frame import Frame, Unit
from autodiff.lower.flow.lifted import returned
from autodiff.lower.flow.sole import sole, something
from autodiff.lower.functions.calls import call
from autodiff.lower.functions.conversion import Converted
from autodiff.lower.functions.converted import lower_converted
from autodiff.lower.functions.inlining import inlined
from autodiff.lower.functions.outlined import Outlined
from autodiff.lower.functions.recursion import check_lent
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
    known: Mapping[str, Any] | None = None,
    top: bool = False,
) -> Unit:
    """The function in Core; `NotYet` where something in it is not taken.

    calls: the functions around it, from the outermost on. known: the values of some parameters.
    top: a derivative is taken of it.
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
    unit = Unit(
        made, form.namespace, References(), doors, asked=asked, leaving=doors.left is not None
    )
    frame = Frame(unit, form)
    frame.whose.function = function
    frame.builder = Builder(made.body, unit.references)
    unit.frames.append(frame)
    for identifier, kind in zip(names, kinds):
        value: Value = born(identifier, kind, named=True)
        if value.memory is not None:
            value.memory.given = True
        made.body.parameter(value)
        frame.names[identifier] = opened(unit, value, identifier)
    frame.names |= {key: spread(value) for key, value in (known or {}).items()}
    statements = Statements(frame)
    begin(statements, reading)
    unit.calls = [*calls]
    whole = frame.builder
    try:
        unit.calls.append(unfolded(unit, function.__code__, frame.names))
        result = statements.function()
        made.result = returned(sole(statements, something(statements, result) if top else result))
        made.at = frame.builder.at
    except Raises as error:
        frame.builder = whole
        whole.add(raising(statements, error))
        made.result = constant(0.0)
    except NotYet as reason:
        if unit.binds is not None:
            raise Unseen(unit.binds, *_BINDS) from reason
        raise
    return unit


def spread(value: Any) -> Entry:
    """A constant, or a tuple of such."""
    return Pack(tuple(map(spread, value))) if type(value) is tuple else constant(value)


def missing(*given: Any) -> None:
    """Nobody is there who knows the reverse sweep."""
    raise NotYet("a derivative inside")


def lowered(
    function: FunctionType | Converted | Outlined | partial[Any],
    kinds: tuple[Kind, ...],
    asked: frozenset[Told] = frozenset(),
    differentiated: Callable[..., None] = missing,
    left: Left | None = None,
    whole: bool = False,
) -> Unit:
    """The function in Core; `NotYet` where something in it is not taken. What goes over names that
    are known is written out, as these may name parts; where that cannot be, they are texts.

    left: gets the paths that are not taken, which are left out. whole: no function that it calls
    stays one.
    """

    work = Work()

    def made(names: set[str] | None) -> Unit:
        alone, decided = whole, function.decided if isinstance(function, Converted) else ()
        while True:
            try:
                own = call, inlined, lower_any, differentiated
                doors = Doors(*own, decided, {}, alone, {}, names, left, work)
                around = {"top": True} if isinstance(function, FunctionType) else {}
                unit = lower_any(function, kinds, doors, asked, **around)
                check_lent(unit)
                if alone or not reads_what_changes(unit):
                    return unit
                alone = True
            except Reread as found:
                if found.decision is None or found.decision in decided:
                    raise handed(NotYet(found.reason), found) from None
                decided += (found.decision,)

    names = set[str]()
    try:
        return made(names)
    except NotYet as reason:
        if not names:
            raise
        known = reason
    try:
        return made(None)
    except NotYet as reason:
        raise known if type(known) is type(reason) is NotYet else reason from None


def reads_what_changes(unit: Unit) -> bool:
    """Whether a function that stays a function reads memory of outside that changes."""
    owners = {id(owner(op.object)) for op in unit.elsewhere}
    regions = (region for own, region in unit.outer.items() if own in owners)
    return any(region.find().written for region in regions)


def lower_any(function: Any, *given: Any, **around: Any) -> Unit:
    """A function, or one with what it needs from around it, or a part of one, or one of whose
    parameters some are known, for kinds of its parameters.
    """
    if isinstance(function, Converted):
        return lower_converted(function, *given)
    if isinstance(function, Outlined):
        return function.lowered()
    if isinstance(function, partial):
        around["known"] = function.keywords
        function = function.func
    return lower(function, *given, **around)

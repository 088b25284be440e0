"""The bodies of functions that have been converted: numbers and arrays are parameters, and what is
changed is given back at the end.
"""

from __future__ import annotations

from types import FunctionType

from autodiff.core import Function, Load, References, Value
from autodiff.kinds.kind import Kind
from autodiff.kinds.size import Told
from autodiff.lower.entries import wording
from autodiff.lower.entries.callables import unfolded
from autodiff.lower.entries.cells import begin
from autodiff.lower.entries.entry import Closure, Entry, Pack
from autodiff.lower.entries.outer import reading
from autodiff.lower.flow.doors import Doors
from autodiff.lower.flow.frame import Frame, Unit
from autodiff.lower.flow.lifted import returned
from autodiff.lower.functions.conversion import Converted, Copy
from autodiff.lower.statement.statements import Statements
from autodiff.primitives.applying import born
from autodiff.primitives.builder import Builder


def lower_converted(
    converted: Converted,
    kinds: tuple[Kind, ...],
    doors: Doors,
    asked: frozenset[Told] = frozenset(),
) -> Unit:
    """The function in Core, of its numbers and arrays."""
    made, form, target = Function(converted.name), converted.form(doors), converted.target
    space = target.frame.space() if isinstance(target, Closure) else form.namespace
    assert space is not None
    unit = Unit(made, space, References(), doors, asked=asked)
    rest = list(kinds)

    def parameter(own: str) -> Value:
        found: Value = born(own, rest.pop(0), named=True)
        if found.memory is not None:
            found.memory.given = True
        return made.body.parameter(found)

    copy = Copy(unit, lambda _, own: parameter(own))
    names = {key: copy.entry(entry, key) for key, entry in converted.given.items()}
    home, identity = None, None
    if isinstance(target, Closure):
        home, identity = copy.around(target.frame, target.node), target.node
    else:
        identity = target.__code__
    frame = Frame(unit, form, home)
    frame.whose.function = target if isinstance(target, FunctionType) else converted.name
    frame.names = names
    frame.builder = Builder(made.body, unit.references)
    unit.frames.append(frame)
    unit.calls = [unfolded(unit, identity, names, home)]
    statements = Statements(frame)
    begin(statements, reading)
    result = statements.function()
    in_parts = {*converted.changed} - {*converted.parameters}
    if copy.is_changed() or in_parts:
        raise wording.of_recursion()
    made.result = returned(with_changed(unit, statements, result, converted.changed))
    return unit


def with_changed(
    unit: Unit, statements: Statements, result: Entry, changed: tuple[str, ...]
) -> Entry:
    """What a function gives, and behind that the arrays that it has changed, as they are then."""
    if not changed:
        return result
    own = {value.hint: value for value in unit.function.body.parameters}
    arrays = [statements.loaded(own[key]) for key in changed]
    base = None
    if isinstance(result, Value):
        array = result.op.base if isinstance(result.op, Load) and not result.op.window else result
        base = array.hint if array in own.values() else None
    unit.returns = base if base in changed else None
    nothing = isinstance(result, Value) and result.is_constant and result.constant is None
    parts = arrays if nothing or unit.returns else [result, *arrays]
    return parts[0] if len(parts) == 1 else Pack(tuple(parts))

"""A function in Core and its reverse sweep behind it."""

from __future__ import annotations

import numpy as np

from autodiff.core import (
    Block,
    Built,
    Load,
    LoadOuter,
    Noting,
    NotYet,
    Region,
    Steps,
    Store,
    Value,
    constant,
    constant_kind,
    replaced,
    values_in,
)
from autodiff.dataflow.activity import Activity
from autodiff.dataflow.carrying import carries
from autodiff.dataflow.settle import mapped, order_matters, settle
from autodiff.dataflow.whole import check_stores
from autodiff.emit.naming import hint
from autodiff.kinds.kind import Array, Drawing, Kind, Numeric, Record, Scalar, Sequence, number
from autodiff.lower.entries.lists import is_made_of_fields
from autodiff.lower.expression.pulled_inside import check_unchanged
from autodiff.lower.flow.frame import Unit
from autodiff.lower.flow.reaching import reach_outside
from autodiff.primitives import Builder
from autodiff.primitives.containing import is_container
from autodiff.reversal.one_number import check_number, no_pair
from autodiff.reversal.outer_arrays import gather
from autodiff.reversal.reopened import ajar
from autodiff.reversal.scope import Scope, check_precision
from autodiff.reversal.shadow_kinds import shadow_kind
from autodiff.reversal.shadows import Shadows
from autodiff.reversal.sweep import Sweep
from autodiff.runtime import assembled, replica, restructured, scalar_seed, zeros_like


def differentiate(unit: Unit, wrt: list[Value], form: str, aux: bool = False) -> None:
    """Appends the reverse sweep. form: "grad", "value_and_grad" or "vjp", as in a request; aux: of
    the first of two results alone.
    """
    function = unit.function
    body = function.body
    leaves = [leaf for value in wrt for leaf in inputs(unit, value)]
    entering = begun(unit)
    whole = function.result
    if aux:
        if not isinstance(whole, Built) or whole.cls is not tuple or len(whole.items) != 2:
            with Noting(function.at):
                raise no_pair(function)
        function.result = whole.items[0]
    asked = None
    if function.state and isinstance(whole, Built):  # a state is asked for as far as it is given
        state = zip(whole.items, body.parameters[1:])
        asked = [item for item, parameter in state if parameter in wrt]
    active = Activity(function, [entering.get(leaf, leaf) for leaf in leaves], asked)
    check_stores(function, active, unit.references)
    shadows = made_shadows(unit, active, entering)
    function.boundary = len(body.operations)
    forward = list(body.operations)
    for k, op in enumerate(body.walk()):
        op.number = k
    builder = Builder(body, unit.references, reverse=True)
    sweep = Sweep(unit, active, shadows)
    with Noting(function.at):
        if form != "vjp":
            check_number(function)
        kind = kind_of(sweep, whole)
    scope = Scope(None, body, builder, mixed=sweep.precision.mixed)
    if form == "vjp":
        function.seeds = [seeded(sweep, scope, function.result, kind)]
    else:
        sweep.add(scope, function.result, unit_seed(builder, function.result))
    sweep.block(scope, forward)
    active.check()
    builder.source = builder.origin = None
    function.outputs = [adjoint(sweep, scope, entering, value) for value in wrt]
    if form == "grad":
        function.result = whole.items[1] if aux else None
    elif aux:
        function.result = whole


def begun(unit: Unit) -> dict[Value, Value]:
    """Ends the lowering of a function that is differentiated: its facts are final. Gives the copies
    of arguments that it changes.
    """
    function = unit.function
    ajar(function, unit.references)
    function.laid_out = function.laid_out or order_matters(function)
    entering = dict[Value, Value]()
    if not function.begun:  # else it is a derivative itself
        check_unchanged(function)
        gather(unit)
        reach_outside(unit)
        entering, function.begun = copied(unit), True
    settle(function, unit.references)
    check_precision(function)
    return entering


def unit_seed(builder: Builder, result: Value) -> Value:
    """The adjoint of what a gradient is taken of: a real number, perhaps found out at run time."""
    kind = result.kind
    if isinstance(kind, Scalar) and kind.type == "float":
        return constant(1.0)
    if kind == Array("float64", ()):
        return builder.call("np.ones", np.ones, constant(()))
    return builder.call("scalar_seed", scalar_seed, result, kind=number("float"))


def seeded(sweep: Sweep, scope: Scope, result: object, kind: Kind) -> Value:
    """The parameter of the pullback, which holds the adjoint of what the function returns."""
    own = hint(result) if isinstance(result, Value) and result.hint else "result"
    whole = Value(f"{own}_bar", kind, named=True)
    taken_apart(sweep, scope, whole, result)
    return whole


def kind_of(sweep: Sweep, result: object) -> Kind:
    """The kind of a result: numbers, arrays, lists of these, and containers whose parts are known;
    what carries no derivative may be anything.
    """
    if isinstance(result, Value):
        if result.is_constant:
            return constant_kind(result.constant)
        if sweep.unit.function.owned:
            return shadow_kind(result.kind) if is_container(result.kind) else result.kind
        own = result.kind
        while isinstance(own, Sequence):
            own = own.item
        if result in sweep.active and not isinstance(own, (Array, Scalar, Numeric)):
            raise NotYet("a result of another form")
        return result.kind
    if not isinstance(result, Built):
        raise NotYet("a result of another form")
    kinds = [kind_of(sweep, item) for item in result.items]
    use = sweep.unit.references.use
    if result.cls not in (tuple, list, dict):
        use(result.cls.__name__, result.cls)
    if not result.plain:
        use("assembled", assembled)
    return Record(result.cls, result.keys, tuple(kinds))


def taken_apart(sweep: Sweep, scope: Scope, whole: Value, result: object) -> None:
    """The adjoints of what a result holds, out of that of the result."""
    if isinstance(result, Value):
        sweep.add(scope, result, whole)
        return
    assert isinstance(result, Built)
    assert isinstance(whole.kind, Record)
    for key, item, kind in zip(whole.kind.keys, result.items, whole.kind.items):
        if any(value in sweep.active for value in values_in(item)):
            part = scope.builder.item(whole, key, kind)
            owned = sweep.unit.function.owned
            if owned and key in sweep.unit.function.shared and item in sweep.of:
                sweep.overwrite(scope, sweep.of[item], part)
            else:
                taken_apart(sweep, scope, part, item)


def made_shadows(unit: Unit, active: Activity, entering: dict[Value, Value]) -> Shadows:
    """The shadows, of arguments first."""
    body = unit.function.body
    shadows = Shadows(active, unit.references, unit.function.laid_out)
    steps = (op for op in body.walk() if isinstance(op, Steps))
    shadows.returning = unit.function.owned or any(op.grouped for op in steps)
    shadows.apart = versions(body)
    operations, body.operations = body.operations, []
    first = next((k for k, op in enumerate(operations) if op not in unit.entry), len(operations))
    body.operations = operations[:first]
    entry = Builder(body, unit.references)
    if unit.function.owned:
        places = unit.function.grouped
        grouped = [v for k, v in enumerate(body.parameters) if k in places and shadows.shadowed(v)]
        shadows.several(entry, grouped, grouped)
        for op in body.operations[first:]:
            op.shadow = True
    for value in (*body.parameters, *(v for op in operations[:first] for v in op.results)):
        own = entering.get(value, value)
        if shadows.shadowed(own) and own not in shadows.of:
            if isinstance(own.op, LoadOuter) and any(v.region is own.region for v in shadows.of):
                raise NotYet("memory of outside that is read by two names")
            made = shadows.zeros(entry, own)
            made.memory = own.home.mirror
            shadows.of[own], shadows.primal[made] = made, own
            body.operations[-1].shadow = True
    made_first, body.operations = body.operations, operations[first:]
    shadows.block(body)
    body.operations = made_first + body.operations
    return shadows


def versions(body: Block) -> set[Value]:
    """What containers hold at some time that is looked into, or of which one gets other memory."""
    looked = {op.base for op in body.walk() if isinstance(op, Load) and op.window is not None}
    stores = [op for op in body.walk() if type(op) is Store and is_container(op.base.kind)]
    exchanged = {op.base.region for op in stores if op.value.region is not None}
    whole = (op for op in body.walk() if isinstance(op, Load) and op.window is None)
    return {
        op.result
        for op in whole
        if is_container(op.base.kind) and (op.result in looked or op.base.region in exchanged)
    }


def adjoint(sweep: Sweep, scope: Scope, entering: dict[Value, Value], value: Value) -> object:
    """The adjoint of an input, in its structure."""
    if isinstance(value.kind, Record) and not sweep.unit.function.owned:
        parts, cls = sweep.unit.given[value], value.kind.cls
        found = {
            key: adjoint(sweep, scope, entering, parts[key]) if is_numeric(kind) else constant(None)
            for key, kind in zip(value.kind.keys, value.kind.items)
            if value.kind.indexed or is_numeric(kind)
        }
        items = tuple(found), tuple(found.values())
        if not value.kind.indexed:
            sweep.unit.references.use("restructured", restructured)
            return Built(cls, *items, like=value)
        if cls not in (tuple, list, dict):
            if not is_made_of_fields(cls):
                raise NotYet("an adjoint of a container of another class")
            sweep.unit.references.use(cls.__name__, cls)
        return Built(cls, *items)
    own = entering.get(value, value)
    if not carries(value.kind):
        if isinstance(value.kind, Scalar):
            return constant(0.0)
        if isinstance(value.kind, Array):  # of whole numbers, beside others
            kind = Array("float64", value.kind.shape)
            return scope.builder.call("zeros_like", zeros_like, own, kind=kind)
        raise NotYet("an adjoint of what has none")
    if own in sweep.of:
        g = scope.builder.load(sweep.of[own])
    else:
        g = scope.full(own, scope.current(own))
    return sweep.precision.given(scope.builder, own, g)


def is_numeric(kind: Kind) -> bool:
    """Whether a part of an input has an adjoint: None stands for that of others."""
    return isinstance(kind, (Array, Scalar, Numeric, Record))


def inputs(unit: Unit, value: Value) -> list[Value]:
    """The numbers and arrays of an input."""
    if not isinstance(value.kind, Record) or unit.function.owned:
        return [value] if carries(value.kind) else []
    parts = unit.given.get(value)
    if parts is None:
        raise NotYet("a derivative by a container that is made inside")
    return [leaf for key in value.kind.keys for leaf in inputs(unit, parts[key])]


def copied(unit: Unit) -> dict[Value, Value]:
    """Arguments that are changed in place are copied on entry, the caller keeps its own."""
    function = unit.function
    body = function.body
    found: dict[Value, Value] = {}
    at = next(
        (k for k, op in enumerate(body.operations) if op not in unit.entry), len(body.operations)
    )
    given = [*body.parameters, *(v for op in body.operations[:at] for v in op.results)]
    for value in given:
        region = value.region
        if region is None or not region.written or isinstance(value.kind, Drawing):
            continue
        if function.owned:
            continue
        if isinstance(value.op, LoadOuter):
            continue
        if not isinstance(value.kind, Array):
            raise NotYet("an argument that is changed and is no array")
        rest, body.operations = body.operations, body.operations[:at]
        way = ("replica", replica) if function.laid_out else (".copy", np.copy)
        own = Builder(body, unit.references).call(
            *way, value, name_hint=value.hint, kind=value.kind
        )
        own.named = True
        op = body.operations[-1]
        body.operations, tail = [], rest[at:]
        body.operations = tail
        replaced(body, value, own)
        function.result = mapped(function.result, {value: own}.get)
        body.operations = [*rest[:at], op, *tail]
        own.memory, value.memory = value.memory, Region()
        unit.entry.add(op)
        at += 1
        found[value] = own
    return found

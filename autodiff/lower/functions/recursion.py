"""Functions that call themselves, and are called as such: nothing that is known ends them.

    def power(x, n):                            def power_vjp(x, n):
        if n == 0:                                  if n == 0: ...
            return 1.0                                  result = 1.0
        return x * power(x, n - 1)                  else:
                                                        p, pullback = power_vjp(x, n - 1)

What such a call gives is found from the paths that do not call: the others end nowhere at first
(`Endless`), then with what is known so far, until that lasts. So far of functions of numbers and
arrays that give numbers, arrays and tuples of these: what they lend of what they are given is
copied, as long as nobody changes it. They are given what they read from around them
(`conversion.py`). Arrays that one changes it gives back, last:

    def halves(v): ...                          def halves_vjp(v): ...
        halves(v[:m])                               v_, pullback = halves_vjp(v[:m])
                                                    v[:m] = v_
"""

from __future__ import annotations

from dataclasses import dataclass
from types import FunctionType
from typing import Any

import numpy as np

from autodiff.core import Call, Endless, Load, NotYet, Reread, Store, Value, constant
from autodiff.core.function import values_in
from autodiff.dataflow.settle import mapped, order_matters
from autodiff.kinds.kind import UNKNOWN, Array, Kind, Record, Static, forget_values
from autodiff.kinds.size import Dim
from autodiff.lower.entries import boxes, wording
from autodiff.lower.entries.above import Expressions, Unit
from autodiff.lower.entries.entry import Closure, Entry, Pack, leaves
from autodiff.lower.flow.lifted import results_of
from autodiff.lower.functions import standing
from autodiff.lower.functions.conversion import Converted, convert
from autodiff.lower.recipes import array_recipes
from autodiff.primitives import Builder, either, is_world

NOTHING = Static(None)
"""The kind of what a function gives that gives nothing."""
_ROUNDS = 4
"""So often the kind of a result may become wider."""
_VARIANTS = 6
"""So many functions for different kinds may call each other."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A decision: a function that calls itself gives these parameters back, which it changes."""

    of: Any
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class OfAnySize:
    """A decision: it is called with arrays of other sizes each time, of which nothing is known."""

    of: Any


def recursive(
    expressions: Expressions, target: FunctionType | Closure, given: dict[str, Entry]
) -> Entry:
    """The result of a call of a function that calls itself."""
    unit, name, values = expressions.unit, "", list[Value]()
    function: FunctionType | Converted
    identity = target.__code__ if isinstance(target, FunctionType) else target.node
    decided = (d.names for d in unit.doors.decided if isinstance(d, Changed) and d.of is identity)
    changed = tuple(sorted({own for names in decided for own in names}))
    if isinstance(target, FunctionType) and not (target.__closure__ or changed):
        values = [v for v in given.values() if standing.is_plain(v) and isinstance(v, Value)]
    if isinstance(target, FunctionType) and values and len(values) == len(given):
        function, name = target, unit.references.use(target.__name__, target)
    else:
        function, values = convert(expressions, target, given, changed)
    symbols = standing.Symbols(OfAnySize(identity) in unit.doors.decided)
    callee = standing.Callee(function, tuple(symbols.canonical(value.kind) for value in values))
    kind = symbols.back(result_kind(expressions, callee, identity))
    if kind == NOTHING:
        return constant(None)
    found = standing.stays(expressions, callee, name, values, kind)
    result = results_of(unit, expressions.builder, found)
    rest = [*result.items] if isinstance(result, Pack) and changed else [result]
    places = [callee.parameters.index(own) for own in changed]
    regions = [value.region for value in values]
    if any(regions.count(regions[place]) > 1 for place in places):
        raise wording.of_recursion()
    for place in reversed(places):
        part = rest.pop()
        assert isinstance(part, Value)
        take_back(expressions, values[place], part)
    lent = unit.doors.lending.get(callee)
    if lent:
        return values[callee.parameters.index(lent)]
    return rest[0] if rest else constant(None)


def take_back(expressions: Expressions, array: Value, part: Value) -> None:
    """An array holds what a function that was given it gives back, which has its shape."""
    assert isinstance(part.kind, Array)
    shape = enumerate(part.kind.shape)
    sizes = (Dim(f"({part.token}.{axis})") if size is None else size for axis, size in shape)
    part.kind = Array(part.kind.dtype, tuple(sizes))
    boxes.called(expressions, array_recipes.overwritten, array, part, stores=True)
    operations = expressions.builder.block.operations
    store = next(op for op in reversed(operations) if isinstance(op, Store))
    store.fits = store.alike = True


def copied(unit: Unit, changed: int) -> bool:
    """Gives copies of what it lends: nobody sees that who changes neither. changed: so many of the
    last are given back.
    """
    function = unit.function
    values = [v for v in values_in(function.result) if isinstance(v.kind, Array)]
    seen, lent = standing.regions_given(function), list[Value]()
    for value in values[: len(values) - changed]:
        if value.region in seen:
            if value.is_written:
                raise wording.of_recursion()
            lent.append(value)
        seen |= {value.region} if value.region else set()
    builder = Builder(function.body, unit.references)
    made = {value: builder.call(".copy", np.copy, value, kind=value.kind) for value in lent}
    function.result = mapped(function.result, lambda value: made.get(value, value))
    return bool(lent)


def check_lent(unit: Unit) -> None:
    """Nobody changes what a function gives a copy of, nor the copy."""
    function, lending = unit.function, unit.doors.lending
    for op in function.body.walk():
        if isinstance(op, Call) and lending.get(op.callee) == "":
            given = [v.op.operands[0] if isinstance(v.op, Load) else v for v in op.operands]
            parts = [
                v for own in op.results if own in unit.results for v in leaves(unit.results[own])
            ]
            if any(value.is_written for value in (*given, *op.results, *parts)):
                raise wording.of_recursion()


def result_kind(expressions: Expressions, callee: standing.Callee, identity: Any) -> Kind:
    """What a function gives that calls itself."""
    unit = expressions.unit
    known = unit.doors.assumed
    if callee in known:
        found = known[callee]
        if found is None:
            raise Endless
        return found
    if callee in unit.standing:
        given: Kind | None = unit.standing[callee][0]
        assert given is not None
        return given
    form = list(map(unsized, callee.kinds))
    if any(o.function == callee.function and list(map(unsized, o.kinds)) == form for o in known):
        raise Reread(OfAnySize(identity), "recursion with arrays of other sizes")
    if len(known) >= _VARIANTS:
        raise NotYet("recursion with other kinds in each call")
    known[callee] = None
    try:
        for _ in range(_ROUNDS):
            made = unit.doors.lower(callee.function, callee.kinds, unit.doors)
            changed = {*callee.changed}
            if more := changes(made) - changed:
                raise Reread(Changed(identity, frozenset(more)), "recursion that changes arrays")
            kind = None if made.exposed or alters(made, changed) else given_back(made)
            if kind is None:
                raise wording.of_recursion()
            unit.doors.lending.pop(callee, None)
            if copied(made, len(changed)):
                unit.doors.lending[callee] = ""
            elif made.returns is not None:
                unit.doors.lending[callee] = made.returns
            before = known[callee]
            after = kind if before is None else either(before, kind)
            if is_unknown(after):
                raise NotYet("recursion whose result is of another kind in each call")
            if after == before:
                break
            known[callee] = after
        else:
            raise NotYet("recursion whose result is of another kind in each call")
    except Endless:
        raise NotYet("recursion without an end") from None
    finally:
        settled = known.pop(callee)
    assert settled is not None
    check_lent(made)
    if not known:
        asks = order_matters(made.function)
        unit.standing[callee] = standing.Alone(settled, 0, laid_out=asks)
    unit.elsewhere += standing.outside(unit, made)
    unit.found = made.found | unit.found
    unit.members.update(made.members)
    return settled


def is_unknown(kind: Kind) -> bool:
    """Whether nothing is known of a result, or of a part of it."""
    return kind == UNKNOWN or isinstance(kind, Record) and any(map(is_unknown, kind.items))


def unsized(kind: Kind) -> Kind:
    """A kind without its sizes."""
    return Array(kind.dtype, (None,) * len(kind.shape)) if isinstance(kind, Array) else kind


def changes(made: Unit) -> set[str]:
    """The parameters whose arrays a function changes."""
    parameters = made.function.body.parameters
    return {v.hint for v in parameters if v.region is not None and v.region.written}


def alters(made: Unit, changed: set[str]) -> bool:
    """Whether it changes what it does not give back: memory of outside."""
    if any(map(is_world, made.function.body.walk())):
        return True
    own = {v.region for v in made.function.body.parameters if v.hint in changed}
    given = standing.regions_given(made.function) - own
    return any(region.written for region in given if region)


def given_back(made: Unit) -> Kind | None:
    """The kind of numbers, arrays, and tuples of these; None for others."""
    result = made.function.result
    if isinstance(result, Value) and result.is_constant and result.constant is None:
        return NOTHING
    kind = standing.structured(result)
    return None if kind is None else forget_values(kind)

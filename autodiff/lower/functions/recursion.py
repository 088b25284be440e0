"""Functions that call themselves, and are called as such: nothing that is known ends them.

    def power(x, n):                            def power_vjp(x, n):
        if n == 0:                                  if n == 0: ...
            return 1.0                                  result = 1.0
        return x * power(x, n - 1)                  else:
                                                        p, pullback = power_vjp(x, n - 1)

What such a call gives is found from the paths that do not call: the others end nowhere at first
(`Endless`), then with what is known so far, until that lasts. So far of functions of numbers and
arrays that change nothing, and give a number or an array: what they lend of what they are given is
copied, as long as nobody changes it. They are given what they read from around them
(`conversion.py`).
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np

from autodiff.analysis.kind import Array, Kind, forget_values
from autodiff.core import Call, Endless, Load, NotYet, Value, users
from autodiff.lower.entries import wording
from autodiff.lower.entries.above import Expressions, Unit
from autodiff.lower.entries.entry import Closure, Entry
from autodiff.lower.functions import standing
from autodiff.lower.functions.conversion import Converted, convert
from autodiff.primitives import Builder, either

_ROUNDS = 4
"""So often the kind of a result may become wider."""
_VARIANTS = 6
"""So many functions for different kinds may call each other."""


def recursive(
    expressions: Expressions, target: FunctionType | Closure, given: dict[str, Entry]
) -> Value:
    """The result of a call of a function that calls itself."""
    unit, name, values = expressions.unit, "", list[Value]()
    function: FunctionType | Converted
    if isinstance(target, FunctionType) and not target.__closure__:
        values = [v for v in given.values() if standing.is_plain(v) and isinstance(v, Value)]
    if isinstance(target, FunctionType) and len(values) == len(given):
        function, name = target, unit.references.use(target.__name__, target)
    else:
        function, values = convert(unit, target, given, expressions.builder.origin)
    symbols = standing.Symbols()
    callee = standing.Callee(function, tuple(symbols.canonical(value.kind) for value in values))
    kind = result_kind(expressions, callee)
    return standing.stays(expressions, callee, name, values, symbols.back(kind))


def lends(made: Any) -> bool:
    """Whether a function gives what may be memory of what it is given, and changes none of it."""
    result, given = made.function.result, standing.regions_given(made.function)
    if not isinstance(result, Value) or not isinstance(result.kind, Array):
        return False
    return result.region in given and not any(region.written for region in given if region)


def changes(made: Any) -> list[int]:
    """The places of arrays that a function changes, if that is all that keeps it from being called
    as such: its derivative changes copies.
    """
    function = made.function
    result, given = function.result, [value.region for value in function.body.parameters]
    if made.exposed or not standing.is_plain(result) or result.is_constant:
        return []
    if result.region is not None and result.region in given:
        return []
    if any(region.written for region in standing.regions_given(function) - {*given} if region):
        return []
    return [k for k, region in enumerate(given) if region is not None and region.written]


def copied(made: Any) -> Kind:
    """Gives a copy instead: nobody sees that who changes neither."""
    result: Value = made.function.result
    builder = Builder(made.function.body, made.references)
    made.function.result = builder.call(".copy", np.copy, result, kind=result.kind)
    return result.kind


def check_lent(unit: Unit) -> None:
    """Nobody changes what a function gives a copy of, nor the copy; nobody has what one changes."""
    function, lending = unit.function, unit.doors.lending
    for op in function.body.walk():
        if not isinstance(op, Call) or op.callee not in lending:
            continue
        given = [v.op.operands[0] if isinstance(v.op, Load) else v for v in op.operands]
        changed = {given[k].region for k in lending[op.callee]}
        lent = () if changed else (*given, *op.results)
        if any(value.is_written for value in lent):
            raise wording.of_recursion()
        alone = all(given[k].block is op.block for k in lending[op.callee])
        alone = alone and all([v.region for v in given].count(region) == 1 for region in changed)
        if not alone or any(not region or region.given or region.held for region in changed):
            raise NotYet("recursion that changes what others have")
        passed = [op.operands[k] for k in lending[op.callee]]
        own = [op, *(value.op for value in passed if isinstance(value.op, Load))]
        for value, others in users(function).items() if changed else ():
            if value.region in changed or value in passed:
                if any(user not in own for user in others):
                    raise NotYet("recursion that changes what others have")


def result_kind(expressions: Expressions, callee: standing.Callee) -> Kind:
    """What a function gives that calls itself."""
    unit = expressions.unit
    known = unit.doors.assumed
    if callee in known:
        found = known[callee]
        if found is None:
            raise Endless
        return found
    if callee in unit.standing:
        settled: Kind | None = unit.standing[callee][0]
        assert settled is not None
        return settled
    if len(known) >= _VARIANTS:
        raise NotYet("recursion with other kinds in each call")
    known[callee] = None
    try:
        for _ in range(_ROUNDS):
            made = unit.doors.lower(callee.function, callee.kinds, unit.doors)
            kind, result = standing.kind_of(made)[0], made.function.result
            if kind is None and lends(made):
                kind = copied(made)
                unit.doors.lending[callee] = []
            if kind is None and changes(made):
                kind = result.kind
                unit.doors.lending[callee] = changes(made)
            if isinstance(result, Value) and result.is_constant and standing.is_plain(result):
                kind = forget_values(result.kind)
            if kind is None:
                raise wording.of_recursion()
            before = known[callee]
            after = kind if before is None else either(before, kind)
            if after == before:
                break
            known[callee] = after
        else:
            raise NotYet("recursion whose result is of another kind in each call")
    except Endless:
        raise NotYet("recursion without an end") from None
    finally:
        found = known.pop(callee)
    assert found is not None
    check_lent(made)
    if not known:
        unit.standing[callee] = standing.Alone(found, 0)
    unit.elsewhere += standing.outside(unit, made)
    unit.found = made.found | unit.found
    unit.members.update(made.members)
    return found

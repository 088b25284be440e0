"""Functions that call themselves, and are called as such: nothing that is known ends them.

    def power(x, n):                            def power_vjp(x, n):
        if n == 0:                                  if n == 0: ...
            return 1.0                                  result = 1.0
        return x * power(x, n - 1)                  else:
                                                        p, pullback = power_vjp(x, n - 1)

What such a call gives is found from the paths that do not call: the others end nowhere at first
(`Endless`), then with what is known so far, until that lasts. So far of functions of numbers and
arrays that change nothing, and give a number or new memory.
"""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING

from autodiff.analysis.kind import Kind, forget_values
from autodiff.core.calls import Call
from autodiff.core.notyet import NotYet
from autodiff.core.value import Value
from autodiff.lower.entry import Endless, Entry
from autodiff.lower.standing import Callee, Symbols, is_plain, kind_of, outside
from autodiff.primitives.either import either

if TYPE_CHECKING:
    from autodiff.lower.expressions import Expressions

_ROUNDS = 4
"""So often the kind of a result may become wider."""
_VARIANTS = 6
"""So many functions for different kinds may call each other."""


def recursive(expressions: Expressions, target: FunctionType, given: dict[str, Entry]) -> Value:
    """The result of a call of a function that calls itself."""
    if target.__closure__ or not all(map(is_plain, given.values())):
        raise NotYet("recursion")
    values = [value for value in given.values() if isinstance(value, Value)]
    symbols = Symbols()
    callee = Callee(target, tuple(symbols.canonical(value.kind) for value in values))
    kind = result_kind(expressions, callee)
    operands = [expressions.loaded(value) for value in values]
    result = Value(target.__name__, symbols.back(kind))
    name = expressions.unit.references.use(target.__name__, target)
    op = Call(callee, name, operands, [result])
    op.raises = True
    expressions.builder.add(op)
    return result


def result_kind(expressions: Expressions, callee: Callee) -> Kind:
    """What a function gives that calls itself."""
    unit = expressions.unit
    known = unit.doors.assumed
    if callee in known:
        found = known[callee]
        if found is None:
            raise Endless
        return found
    if callee in unit.standing:
        settled = unit.standing[callee][0]
        assert settled is not None
        return settled
    if len(known) >= _VARIANTS:
        raise NotYet("recursion with other kinds in each call")
    known[callee] = None
    try:
        for _ in range(_ROUNDS):
            made = unit.doors.lower(callee.function, callee.kinds, unit.doors)
            kind, result = kind_of(made)[0], made.function.result
            if isinstance(result, Value) and result.is_constant and is_plain(result):
                kind = forget_values(result.kind)
            if kind is None:
                raise NotYet("recursion of what changes or lends memory")
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
    if not known:
        unit.standing[callee] = found, 0
    unit.elsewhere += outside(unit, made)
    unit.found += [each for each in made.found if each not in unit.found]
    unit.members.update(made.members)
    return found

"""Methods that change a list, dict or array and return None, in assignments.

    last = xs.append(x ** 2)            xs.append(x ** 2)
                                        last = None

So it is where a lambda that calls one is inlined, or `[xs.append(v) for v in vs]` is a loop: what
such a method does is known of statements of its own.
"""

from __future__ import annotations

from typing import Any

import gast

from autodiff.analysis.kind import Array, Mapping, Record, Sequence
from autodiff.analysis.known import Kinds
from autodiff.analysis.objects import Parts
from autodiff.normalize.build import assign, at, constant
from autodiff.pipeline.objects.opening import with_body
from autodiff.pipeline.unit import Unit
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import of_class, shallow

_BLOCKS = ("body", "orelse", "finalbody")
_COMPOUND = (gast.If, gast.For, gast.While, gast.With, gast.Try)

_RETURNING_NONE: dict[type, frozenset[str]] = {
    list: frozenset("append extend insert remove clear sort reverse".split()),
    dict: frozenset("update clear".split()),
}
_OF_ARRAYS = frozenset("fill sort put partition itemset".split())


def valueless(unit: Unit, known: Kinds, chains: dict[int, tuple[Any, ...]]) -> bool:
    """Make statements of such calls; whether there were any."""

    def is_one(statement: gast.stmt) -> bool:
        call = statement.value
        if not isinstance(call, gast.Call) or not isinstance(call.func, gast.Attribute):
            return False
        kind = known.of(call.func.value)
        if isinstance(kind, Array):
            return call.func.attr in _OF_ARRAYS
        if not isinstance(kind, (Record, Sequence, Mapping, Parts)):
            return False
        return call.func.attr in _RETURNING_NONE.get(kind.cls, ())

    if not any(map(is_one, of_class(unit.tree.body, gast.Assign))):
        return False

    def block(statements: list[gast.stmt]) -> list[gast.stmt]:
        return [part for statement in statements for part in one(statement)]

    def one(statement: gast.stmt) -> list[gast.stmt]:
        if isinstance(statement, gast.Assign) and is_one(statement):
            origin = origin_of(statement)
            effect = at(gast.Expr(value=statement.value), origin)
            rest = assign(statement.targets[0], constant(None), origin)
            for new in (effect, rest):
                gast.copy_location(new, statement)
                chains[id(new)] = chains.get(id(statement), ())
            return [effect, rest]
        if not isinstance(statement, (*_COMPOUND, gast.ExceptHandler)):
            return [statement]
        new = shallow(statement)
        for field in (*_BLOCKS, "handlers"):
            if getattr(statement, field, None):
                setattr(new, field, block(getattr(statement, field)))
        chains[id(new)] = chains.get(id(statement), ())
        return [new]

    unit.tree = with_body(unit.tree, block(unit.tree.body))
    return True

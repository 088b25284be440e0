"""An assignment of a tuple display to as many targets happens one target at a time.

    x, y = y, x            x_new = y            x[i], x[j] = x[j], x[i]     x_j = x[j]
                           y = x                                            x_i = x[i]
                           x = x_new                                        x[i] = x_j
    a, b = 1.0, f(x)       a = 1.0                                          x[j] = x_i
                           b = f(x)

All values are computed before anything is stored, so a temporary is needed only where a store would
change a value still to come.
"""

from __future__ import annotations

from typing import NamedTuple

import gast

from autodiff.normalize.build import assign
from autodiff.normalize.sugar.context import Context
from autodiff.normalize.sugar.predicates import is_pure
from autodiff.syntax.names import name, reads, writes
from autodiff.syntax.origin import Origin, origin_of

_DISPLAYS = (gast.Tuple, gast.List)
_ATOMS = (gast.Name, gast.Constant)


class Pair(NamedTuple):
    """One target and the value it gets."""

    target: gast.expr
    value: gast.expr


def parallel(statement: gast.Assign, context: Context) -> list[gast.stmt] | None:
    """`a, b = e1, e2` as single assignments."""
    pairs = _pairs(statement.targets[0], statement.value)
    if pairs is None:
        if isinstance(statement.targets[0], _DISPLAYS) and isinstance(statement.value, _DISPLAYS):
            return _by_name(statement, context)
        return None
    origin = origin_of(statement)
    if not all(isinstance(pair.target, gast.Name) for pair in pairs):
        return _stored(pairs, context, origin)
    targets = [pair.target.id for pair in pairs]
    may_reorder = not (context.guarded or context.exact) and len(set(targets)) == len(targets)
    if may_reorder and all(is_pure(pair.value) for pair in pairs):
        return _reordered(pairs, context, origin)
    return _in_order(pairs, context, origin)


def _pairs(target: gast.expr, value: gast.expr) -> list[Pair] | None:
    """Targets with their values, nested displays flattened; None if the shapes do not say."""
    if not isinstance(target, _DISPLAYS) or not isinstance(value, _DISPLAYS):
        return None
    values = value.elts
    if any(isinstance(v, gast.Starred) for v in values):
        return None
    targets = target.elts
    stars = [n for n, part in enumerate(targets) if isinstance(part, gast.Starred)]
    if stars:
        extra = len(values) - len(targets) + 1
        if extra < 0:
            return None
        first = stars[0]
        rest = gast.List(elts=values[first : first + extra], ctx=gast.Load())
        values = [*values[:first], rest, *values[first + extra :]]
        targets = [*targets[:first], targets[first].value, *targets[first + 1 :]]
    if len(targets) != len(values):
        return None
    pairs: list[Pair] = []
    for part, one in zip(targets, values):
        inner = _pairs(part, one)
        pairs.extend([Pair(part, one)] if inner is None else inner)
    return pairs


def _by_name(statement: gast.Assign, context: Context) -> list[gast.stmt]:
    """Unpack from a name: a display whose length does not match raises as it did."""
    origin = origin_of(statement)
    temporary = context.temporary("items")
    return [
        assign(temporary, statement.value, origin),
        assign(statement.targets[0], name(temporary), origin),
    ]


def _reordered(pairs: list[Pair], context: Context, origin: Origin | None) -> list[gast.stmt]:
    """Names that get pure values: whichever target no other value reads goes first."""
    made: list[gast.stmt] = []
    late: list[gast.stmt] = []
    waiting = [(pair, reads(pair.value)) for pair in pairs]
    while waiting:
        for position, (pair, _) in enumerate(waiting):
            others = waiting[:position] + waiting[position + 1 :]
            if not any(pair.target.id in needed for _, needed in others):
                made.append(assign(pair.target, pair.value, origin))
                waiting = others
                break
        else:
            (pair, _), *waiting = waiting
            temporary = context.temporary(f"{pair.target.id}_new")
            made.append(assign(temporary, pair.value, origin))
            late.append(assign(pair.target, name(temporary), origin))
    return made + late


def _in_order(pairs: list[Pair], context: Context, origin: Origin | None) -> list[gast.stmt]:
    """Names that get values which must be computed from left to right."""
    made: list[gast.stmt] = []
    late: list[gast.stmt] = []
    for position, (target, value) in enumerate(pairs):
        later = [pair.value for pair in pairs[position + 1 :]]
        again = any(target.id == pair.target.id for pair in pairs[:position])
        if again or not _may_store(target.id, later, context):
            temporary = context.temporary(f"{target.id}_new")
            made.append(assign(temporary, value, origin))
            late.append(assign(target, name(temporary), origin))
        else:
            made.append(assign(target, value, origin))
    return made + late


def _may_store(target: str, later: list[gast.expr], context: Context) -> bool:
    if all(isinstance(v, gast.Constant) for v in later):
        return True
    if any(target in reads(v) or target in writes(v) for v in later):
        return False
    if all(isinstance(v, _ATOMS) for v in later):
        return True
    return not context.guarded and target not in context.captured


def _stored(pairs: list[Pair], context: Context, origin: Origin | None) -> list[gast.stmt]:
    """Values into temporaries, then stores from left to right."""
    made: list[gast.stmt] = []
    stores: list[gast.stmt] = []
    assigned = {changed for pair in pairs for changed in writes(pair.value)}
    for target, value in pairs:
        stable = isinstance(value, gast.Constant) or (
            isinstance(value, gast.Name) and value.id not in assigned
        )
        if not stable:
            temporary = context.named_after(value)
            made.append(assign(temporary, value, origin))
            value = name(temporary)
        assigned |= writes(target)
        stores.append(assign(target, value, origin))
    return made + stores

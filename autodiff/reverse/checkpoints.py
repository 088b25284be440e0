"""A checkpointed loop, outlined: a call that gives the last state and a pullback.

    steps_value = checkpointed_steps(step, range(n), s, 1, u, nu)

becomes, in the forward and in the reverse sweep,

    steps_value, pullback = checkpointed_steps(step, step_vjp, range(n), s, (u,), (nu,), (0, 1))
    u_bar, nu_bar = pullback((u_bar,))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast

from autodiff.analysis.kind import UNKNOWN, Array, Scalar, Static
from autodiff.analysis.operation import Operation
from autodiff.reverse.parts import assembled, joined
from autodiff.reverse.places import Place
from autodiff.reverse.values import Bar
from autodiff.syntax.names import name, store
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote

if TYPE_CHECKING:
    from autodiff.reverse.reverse import Reverse


def run(
    reverse: Reverse,
    statement: gast.Assign,
    target: str,
    operation: Operation,
    taken: dict[Place, Bar],
) -> None:
    """Replace the call by one that also gives a pullback, and call that in the reverse sweep."""
    assert reverse.pair is not None
    step, counts, snapshots, width, *values = operation.arguments
    count = width.value
    function: Any = getattr(reverse.kinds.known(step), "value", None)
    places = [k for k, v in enumerate(values) if v.id in reverse.active]
    active = [values[k].id for k in places]
    kinds = [Scalar("int"), *map(reverse.kinds.known, values)]
    own = function.__code__.co_varnames  # the call may name snapshots of containers
    pair = reverse.pair(function, tuple(own[k + 1] for k in places), kinds, exactly=True)
    pullback = reverse.flag(f"{function.__name__}s_pullback", Static(run))
    node = gast.Call(
        func=statement.value.func,
        args=[
            *(step, pair, counts, snapshots),
            gast.Tuple(elts=values[:count], ctx=gast.Load()),
            gast.Tuple(elts=[_kept(reverse, v) for v in values[count:]], ctx=gast.Load()),
            gast.Tuple(elts=[gast.Constant(k, None) for k in places], ctx=gast.Load()),
        ],
        keywords=[],
    )
    targets = gast.Tuple(elts=[store(target), store(pullback)], ctx=gast.Store())
    new = gast.Assign(targets=[targets], value=node)
    new.origin = origin_of(statement)
    reverse.primal = new
    whole = taken.get((target, ()))
    seed = assembled(reverse, target, taken).node if whole is None else whole.node
    results = [reverse.bars.temporary(f"{operand}_bar_part") for operand in active]
    parts = gast.Tuple(elts=[store(r) for r in results], ctx=gast.Store())
    call = quote("p(g)", p=pullback, g=seed)
    reverse.bars.out.append(gast.Assign(targets=[parts], value=call))
    for operand, result in zip(active, results):
        kind = reverse.kinds.names.get(operand, UNKNOWN)
        reverse.bars.define(result, kind)
        found: dict[Place, Bar] = {(operand, ()): Bar(name(result), kind, False)}
        for place, bar in joined(reverse, found, operand):
            reverse.bars.contribute(place, bar.node, bar.kind, False)


def _kept(reverse: Reverse, value: gast.expr) -> gast.expr:
    """A constant of the loop; a copy if it may change before the loop is reversed."""
    if not reverse.aliases.is_changed(value.id):
        return value
    if isinstance(reverse.kinds.known(value), Array):
        return quote("x.copy()", x=value)
    return quote("f(x)", f=reverse.helper("copied"), x=value)

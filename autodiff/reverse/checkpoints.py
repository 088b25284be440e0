"""A checkpointed loop, outlined: a call that gives the last state and a pullback.

    steps_value = checkpointed_steps(step, range(n), s, 1, u, nu)

becomes, in the forward and in the reverse sweep,

    steps_value, pullback = checkpointed_steps(step, step_vjp, range(n), s, (u,), (nu,), (0, 1))
    u_bar, nu_bar = pullback((u_bar,))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast

from autodiff.analysis.kind import Scalar, Static
from autodiff.analysis.operation import Operation
from autodiff.reverse.handed import as_it_is
from autodiff.reverse.parts import assembled, received
from autodiff.reverse.places import Place
from autodiff.reverse.values import Bar
from autodiff.syntax.names import store
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
            gast.Tuple(elts=[as_it_is(reverse, v) for v in values[count:]], ctx=gast.Load()),
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
    received(reverse, active, quote("p(g)", p=pullback, g=seed))

"""A call of a function that calls itself: a value and a pullback, compiled once and called.

    y = tree_sum(x, depth)

becomes, in the forward and in the reverse sweep,

    y, pullback = tree_sum_vjp(x, depth)
    x_bar, = pullback(y_bar)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast

from autodiff.analysis.kind import UNKNOWN, Static
from autodiff.analysis.operation import Operation
from autodiff.reverse.parts import assembled, joined
from autodiff.reverse.places import Place
from autodiff.reverse.values import Bar
from autodiff.syntax.names import name, store
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote

if TYPE_CHECKING:
    from autodiff.reverse.reverse import Reverse


def call(
    reverse: Reverse,
    statement: gast.Assign,
    target: str,
    operation: Operation,
    taken: dict[Place, Bar],
) -> None:
    """Replace the call by one that also gives a pullback, and call that in the reverse sweep."""
    assert reverse.pair is not None
    function = operation.function
    code = function.__code__
    parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    given = dict(zip(parameters, operation.arguments)) | dict(operation.keywords)
    active = [
        p
        for p, value in given.items()
        if isinstance(value, gast.Name) and value.id in reverse.active
    ]
    kinds = [reverse.kinds.known(value) for value in given.values()]
    pair = reverse.pair(function, tuple(active), kinds)
    pullback = reverse.flag(f"{function.__name__}_pullback", Static(call))
    value = gast.Call(func=pair, args=statement.value.args, keywords=statement.value.keywords)
    targets = gast.Tuple(elts=[store(target), store(pullback)], ctx=gast.Store())
    new = gast.Assign(targets=[targets], value=value)
    new.origin = origin_of(statement)
    reverse.primal = new
    if (target, ()) in taken:
        bar = taken[target, ()]
        seed = reverse.bars.expanded((target, ()), bar)
    else:
        seed = assembled(reverse, target, taken).node
    results = [reverse.bars.temporary(f"{given[p].id}_bar_part") for p in active]
    targets = gast.Tuple(elts=[store(r) for r in results], ctx=gast.Store())
    reverse.bars.out.append(
        gast.Assign(targets=[targets], value=quote("p(g)", p=pullback, g=seed))
    )
    for parameter, result in zip(active, results):
        source = given[parameter].id
        kind = reverse.kinds.names.get(source, UNKNOWN)
        reverse.bars.define(result, kind)
        parts: dict[Place, Bar] = {(source, ()): Bar(name(result), kind, False)}
        for place, bar in joined(reverse, parts, source):
            reverse.bars.contribute(place, bar.node, bar.kind, False)

"""A call of a function that calls itself: a value and a pullback, compiled once and called.

    y = tree_sum(x, depth)

becomes, in the forward and in the reverse sweep,

    y, pullback = tree_sum_vjp(x, depth)
    x_bar, = pullback(y_bar)

Where the gradient is differentiated again no function may be handed out. There the call stays, and

    x_bar, = tree_sum_adjoints(y_bar, x, depth)

runs the forward sweep once more, at each depth: a factor of the depth of the recursion.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast

from autodiff.analysis.entered import entering, entry_of
from autodiff.analysis.kind import Static
from autodiff.analysis.operation import Operation, by_parameter, check_spread_out
from autodiff.reverse.handed import as_it_is
from autodiff.reverse.parts import assembled, received
from autodiff.reverse.places import Place
from autodiff.reverse.values import Bar
from autodiff.syntax.names import store, title_of
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
    function = operation.function
    check_spread_out(statement)
    given = by_parameter(operation)
    active = {
        p: value.id
        for p, value in given.items()
        if isinstance(value, gast.Name) and value.id in reverse.active
    }
    kinds = [None if value is None else reverse.kinds.known(value) for value in given.values()]
    operands = list(active.values())
    assert reverse.pair is not None
    with entering(entry_of(Static(function), function, statement, statement.value)):
        made = reverse.pair(function, tuple(active), kinds)
    if reverse.composed:
        again = gast.Call(
            func=made,
            args=[_seed(reverse, target, taken), *statement.value.args],
            keywords=statement.value.keywords,
        )
        received(reverse, operands, again)
        return
    pullback = reverse.flag(f"{title_of(function)}_pullback", Static(call))
    args = [as_it_is(reverse, argument) for argument in statement.value.args]
    keywords = [
        gast.keyword(arg=k.arg, value=as_it_is(reverse, k.value)) for k in statement.value.keywords
    ]
    value = gast.Call(func=made, args=args, keywords=keywords)
    targets = gast.Tuple(elts=[store(target), store(pullback)], ctx=gast.Store())
    new = gast.Assign(targets=[targets], value=value)
    new.origin = origin_of(statement)
    reverse.primal = new
    received(reverse, operands, quote("p(g)", p=pullback, g=_seed(reverse, target, taken)))


def _seed(reverse: Reverse, target: str, taken: dict[Place, Bar]) -> gast.expr:
    """The adjoint of the value, as one expression."""
    if (target, ()) in taken:
        return reverse.bars.expanded((target, ()), taken[target, ()])
    return assembled(reverse, target, taken).node

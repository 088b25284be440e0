"""A call of a function that calls itself: value and tangent from one function, compiled once.

y, y_dot = tree_sum_jvp(x, depth, x_dot)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast

from autodiff.analysis.entered import entering, entry_of
from autodiff.analysis.kind import Static
from autodiff.analysis.operation import Operation, by_parameter, check_spread_out
from autodiff.forward.fitting import Tangent
from autodiff.syntax.names import name, store
from autodiff.syntax.origin import origin_of

if TYPE_CHECKING:
    from autodiff.forward.forward import Forward


def called(
    forward: Forward, statement: gast.Assign, target: str, operation: Operation
) -> Tangent:
    """The call replaced by one that gives the tangent, too."""
    function = operation.function
    forward.check_unchanged(statement, statement.value)
    check_spread_out(statement)
    given = by_parameter(operation)
    active = {
        p: v.id for p, v in given.items() if isinstance(v, gast.Name) and forward.carries(v.id)
    }
    kinds = [None if v is None else forward.kinds.known(v) for v in given.values()]
    value = statement.value
    with entering(entry_of(Static(function), function, statement, value)):
        pair, parameters = forward.pair(function, tuple(active), kinds)
    dots = [
        gast.keyword(arg=dot, value=name(forward.follow(own)))
        for own, dot in zip(active.values(), parameters)
    ]
    call = gast.Call(func=pair, args=value.args, keywords=[*value.keywords, *dots])
    targets = [store(target), store(forward.follow(target))]
    new = gast.Assign(targets=[gast.Tuple(elts=targets, ctx=gast.Store())], value=call)
    new.origin = origin_of(statement)
    return Tangent(value, primal=new)


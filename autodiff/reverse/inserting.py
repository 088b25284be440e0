"""The adjoint of a value on which the user's own statements work.

    inserted(x, insert_x_bar, i)            x_bar = fitted(insert_x_bar(x_bar.copy(), i), x)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast

from autodiff.analysis.kind import UNKNOWN, Array, Scalar
from autodiff.errors import UnsupportedSyntaxError
from autodiff.reverse.items import Step
from autodiff.reverse.parts import assembled, joined
from autodiff.reverse.places import Place
from autodiff.reverse.values import Bar
from autodiff.runtime import inserted
from autodiff.syntax.names import name
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote

if TYPE_CHECKING:
    from autodiff.reverse.reverse import Reverse


def is_insertion(reverse: Reverse, call: gast.expr) -> bool:
    """Whether an expression says where the adjoint of a value is asked for."""
    if not isinstance(call, gast.Call):
        return False
    operation = reverse.kinds.call_operation(call)
    return operation is not None and operation.function is inserted


def insertion(reverse: Reverse, statement: gast.Expr) -> Step:
    """Call the user's function on the adjoint as it is here; what it gives takes its place."""
    source, function, *others = statement.value.args
    own, bars = source.id, reverse.bars
    step = Step([], [], origin_of(statement))
    if own not in reverse.active:
        return step  # nothing is differentiated with respect to it
    if own in bars.shadows or own in reverse.mirrored.names:
        raise UnsupportedSyntaxError(
            f"the adjoint of `{own}`, whose memory goes by several names, is asked for",
            origin_of(statement),
            why="it is part of an adjoint that other names share",
            cure=f"insert it for the array that `{own}` is a part of",
        )
    bars.out = []
    kind = reverse.kinds.names.get(own, UNKNOWN)
    taken = reverse.take(own)
    whole = taken.get((own, ()))
    if whole is not None:
        seed = bars.expanded((own, ()), whole)
    else:
        seed = assembled(reverse, own, taken).node if taken else bars.zeros((own, ()))
    if isinstance(kind, Array):
        if whole is None or not whole.owned:
            seed = quote("g.copy()", g=seed)
    elif not isinstance(kind, Scalar):
        seed = quote("f(g)", f=reverse.helper("copied"), g=seed)
    call = gast.Call(func=function, args=[seed, *others], keywords=[])
    checked = quote("f(g, x)", f=reverse.helper("fitted"), g=call, x=source)
    variable = bars.temporary(f"{own}_bar")
    bars.assign(variable, checked, kind)
    found: dict[Place, Bar] = {(own, ()): Bar(name(variable), kind, False)}
    for place, bar in joined(reverse, found, own):
        bars.contribute(place, bar.node, bar.kind, False)
    step.adjoint = bars.out
    return step

"""The adjoint of the result, from which the reverse sweep starts."""

from __future__ import annotations

import gast

from autodiff.analysis.kind import UNKNOWN, Array, Record, Scalar
from autodiff.errors import NonDifferentiableError
from autodiff.pipeline.request import Request
from autodiff.pipeline.unit import Unit
from autodiff.reverse.parts import part_of
from autodiff.reverse.places import Place
from autodiff.reverse.reverse import Reverse
from autodiff.reverse.values import Bar
from autodiff.syntax.names import name
from autodiff.syntax.quote import quote


def seeded(reverse: Reverse, request: Request, result: str | None, unit: Unit) -> str | None:
    """Give the result its adjoint: one, or what the pullback is called with."""
    if not request.pulled:
        if result is not None and result in reverse.active:
            place: Place = (result, (0,) if request.has_aux else ())
            kind = reverse.bars.kind(place)
            one = gast.Constant(value=1.0, kind=None)
            if result in reverse.bars.whole and request.has_aux:
                raise NonDifferentiableError("has_aux needs a function that returns a tuple")
            if not isinstance(kind, Scalar) and not isinstance(kind, Array):
                helper = reverse.helper("scalar_seed")
                variable = reverse.bars.variable(place)
                one_or_error = quote("f(y)", f=helper, y=reverse.bars.primal(place))
                number = Scalar("float", "?")
                reverse.bars.assign(variable, one_or_error, number)
                if not request.has_aux:
                    reverse.kinds.names[result] = number  # what the check makes certain
                reverse.bars.present[place] = Bar(name(variable), number, False)
            else:
                reverse.bars.present[place] = Bar(one, Scalar("float", None, 1.0), True)
        return None
    seed = unit.names.fresh(f"{result or 'result'}_bar")
    reverse.bars.define(seed, reverse.kinds.names.get(result, UNKNOWN) if result else UNKNOWN)
    if result is not None and result in reverse.bars.shadows:
        reverse.bars.contribute((result, ()), name(seed), UNKNOWN, False)
    elif result is not None and result in reverse.active:
        whole = [(result, ())] if result in reverse.bars.whole else reverse.bars.places(result)
        for place in whole:
            node: gast.expr = name(seed)
            kind = reverse.kinds.names.get(result, UNKNOWN)
            for key in place[1]:
                if isinstance(kind, Record) and not kind.indexed:
                    node = gast.Attribute(value=node, attr=str(key), ctx=gast.Load())
                else:
                    node = part_of(node, (key,))
                kind = (kind.get(key) if isinstance(kind, Record) else None) or UNKNOWN
            reverse.bars.present[place] = Bar(node, reverse.bars.kind(place), False)
        if len(whole) == 1 and not whole[0][1]:
            reverse.bars.variables[whole[0]] = seed
    return seed

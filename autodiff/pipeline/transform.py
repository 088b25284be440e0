"""Both sweeps of the function."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import gast

from autodiff.analysis.activity import activity
from autodiff.analysis.alias import Aliases, alias
from autodiff.analysis.kind import Array, Kind, Scalar
from autodiff.analysis.known import Kinds
from autodiff.pipeline.request import Request
from autodiff.pipeline.returned import check_result
from autodiff.pipeline.seed import seeded
from autodiff.pipeline.unit import Unit
from autodiff.reverse.assemble import Parts, assemble, bare
from autodiff.reverse.definitions import certain_before, defined_before, definitions
from autodiff.reverse.helpers import Helpers
from autodiff.reverse.items import Step
from autodiff.reverse.recompute import recompute
from autodiff.reverse.recorded import recorded
from autodiff.reverse.result import gradient
from autodiff.reverse.reverse import Reverse
from autodiff.reverse.wholes import whole_names
from autodiff.syntax.names import name, parameters, writes
from autodiff.syntax.quote import quote, quote_statements

Pair = Callable[[Any, tuple[str, ...], list[Kind]], gast.expr]
"""Names the function that returns value and pullback of a recursive function."""


def transform(
    unit: Unit, known: Kinds, request: Request, function: types.FunctionType, pair: Pair
) -> gast.FunctionDef:
    """activity, reverse, recorded: the function with both sweeps."""
    last = unit.tree.body[-1]
    returned = last.value if isinstance(last, gast.Return) else None
    result = returned.id if isinstance(returned, gast.Name) else None
    check_result(request, known, returned, last, function)
    aliases = alias(unit.tree, known)
    flow = activity(unit.tree, known, aliases, unit.inputs, result)
    reverse = reversal(unit, known, aliases, flow.active)
    reverse.reentrant = request.mode == "vjp"
    reverse.pair = pair
    seed = seeded(reverse, request, result, unit)
    opening = list(reverse.bars.out)
    block = reverse.block(unit.tree.body)
    reverse.bars.out = []
    parts = [gradient(reverse, parameter) for parameter in request.wrt]
    closing = [*reverse.bars.out, gast.Return(value=gast.Tuple(elts=parts, ctx=gast.Load()))]
    made = set(reverse.bars.made)
    block = [Step([], closing), *block, Step([], opening)]
    again = recompute(block, known) if request.options.recompute else set()
    sweeps = recorded(block, known, aliases, made | again, unit.names, parameters(unit.tree.args))
    unit.temporaries |= made | set(reverse.flag_kinds)
    known.names.update(reverse.bars.joined_kinds())
    ending: gast.expr = parts[0] if request.single else gast.Tuple(elts=parts, ctx=gast.Load())
    if request.mode == "vjp":
        ending = gast.Tuple(elts=parts, ctx=gast.Load())
    value = returned if returned is not None else gast.Constant(value=None, kind=None)
    forward = list(sweeps.forward)
    if isinstance(value, gast.Name) and value.id in writes(sweeps.reverse):
        kept = unit.names.fresh("value")
        forward.extend(quote_statements("v = y", v=kept, y=value))
        value = name(kept)
    initial = beginnings(unit, known, aliases, reverse, sweeps.initial)
    reverse_code = sweeps.reverse[:-1]
    unit.tree = assemble(
        Parts(
            name=f"{unit.tree.name}_{request.mode}",
            arguments=bare(unit.tree.args),
            docstring="",
            forward=forward,
            reverse=reverse_code,
            tape=sweeps.tape,
            tape_class=reverse.helper("Tape"),
            initial=initial,
            value=value if request.mode != "grad" or request.has_aux else None,
            gradient=ending,
            seed=seed,
        )
    )
    if request.mode == "grad" and request.has_aux:
        ending_pair = unit.tree.body[-1].value
        aux = gast.Subscript(
            value=value, slice=gast.Constant(value=1, kind=None), ctx=gast.Load()
        )
        ending_pair.elts = [ending_pair.elts[1], aux]
    unit.keep("reverse")
    return unit.tree


def beginnings(
    unit: Unit, known: Kinds, aliases: Aliases, reverse: Reverse, unset: list[str]
) -> list[gast.stmt]:
    """What the function begins with: values of names that may have none when they are pushed, and
    copies of the arguments that it changes."""
    initial: list[gast.stmt] = []
    for identifier in unset:
        scalar = isinstance(known.names.get(identifier), Scalar)
        initial.append(
            gast.Assign(
                targets=[name(identifier, gast.Store())],
                value=gast.Constant(value=0.0 if scalar else None, kind=None),
            )
        )
    for parameter in parameters(unit.tree.args):
        if aliases.is_changed(parameter) and not isinstance(known.names.get(parameter), Scalar):
            copied = quote("f(x)", f=reverse.helper("copied"), x=parameter)
            if isinstance(known.names.get(parameter), Array):
                copied = quote("x.copy()", x=parameter)
            initial.append(gast.Assign(targets=[name(parameter, gast.Store())], value=copied))
    return initial


def reversal(unit: Unit, known: Kinds, aliases: Aliases, active: frozenset[str]) -> Reverse:
    """All that the reverse sweep of the function is made from."""
    before: dict[int, frozenset[str]] = {}
    certain: dict[int, frozenset[str]] = {}
    own = frozenset(parameters(unit.tree.args))
    defined_before(unit.tree.body, own, before)
    certain_before(unit.tree.body, own, certain)
    helpers = Helpers(unit.scope, unit.names, known.local)
    whole = whole_names(unit.tree, known)
    assigned = writes(unit.tree.body)
    known.stable = tuple(
        p
        for p in parameters(unit.tree.args)
        if p not in assigned and not aliases.is_changed(p)
    )
    reverse = Reverse(
        known, unit.names, helpers, active, whole, before, definitions(unit.tree), aliases
    )
    reverse.certain = certain
    return reverse

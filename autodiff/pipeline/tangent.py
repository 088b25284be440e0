"""The function with its tangent."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import gast

from autodiff.analysis.activity import activity
from autodiff.analysis.alias import Aliases, alias
from autodiff.analysis.complexity import complexity
from autodiff.analysis.kind import UNKNOWN, Array, Kind, Scalar
from autodiff.analysis.kinds import kinds
from autodiff.analysis.known import Kinds
from autodiff.analysis.shifts import shifts
from autodiff.forward.forward import Forward, Pair, Transpose
from autodiff.forward.kinds import tangent_kind
from autodiff.forward.zeros import zero_of
from autodiff.pipeline.beginnings import beginnings, depends_on_layout
from autodiff.pipeline.marks import unmarked
from autodiff.pipeline.request import Request
from autodiff.pipeline.transform import checks_first
from autodiff.pipeline.unit import Unit
from autodiff.reverse.assemble import bare
from autodiff.reverse.helpers import Helpers
from autodiff.syntax.definition import definition
from autodiff.syntax.names import Names, all_names, name, parameters, store
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import nodes


def tangent(
    unit: Unit, known: Kinds, request: Request, transpose: Transpose, pair: Pair
) -> tuple[gast.FunctionDef, Kinds]:
    """activity, forward: the function that returns value and tangent, and its kinds."""
    if not request.composed:  # then the outer derivative decides
        unmarked(unit, known)
    last = unit.tree.body[-1]
    returned = last.value if isinstance(last, gast.Return) else None
    result = returned.id if isinstance(returned, gast.Name) else None
    aliases = alias(unit.tree, known)
    constant = shifts(unit.tree, known) if request.options.shifts else frozenset()
    active = activity(unit.tree, known, aliases, unit.inputs, result, constant).active
    helpers = Helpers(unit.scope, unit.names, known.local)
    forward = Forward(unit.tree, known, unit.names, helpers, active, aliases, transpose, pair)
    unit.complex = unit.complex or complexity(unit.tree, known, unit.given.values())
    forward.bars.complex = unit.complex
    forward.depends_on_layout = depends_on_layout(unit.tree)
    forward.used_parts = used_parts(unit.tree, forward.carries)
    given = dict(zip(request.wrt, tangent_parameters(unit.tree, request.wrt)))
    for parameter, dot in given.items():
        forward.follow(parameter, dot)
    body = unit.tree.body
    if not isinstance(body[-1], gast.Return):
        body = [*body, gast.Return(value=gast.Constant(value=None, kind=None))]
    checks, block = checks_first(forward.block(body), known)
    entered = beginnings(unit, known, aliases, forward.helper, block)
    block, begun = entered.forward, entered.statements
    begun += _tangents_of_parameters(unit, forward, aliases, set(given))
    unit.temporaries |= {forward.dots[n] for n in forward.dots if n in unit.temporaries}
    unit.temporaries |= forward.bars.made - set(forward.dots.values())
    title = f"{unit.tree.name}_{request.mode}"
    defaults = bool(unit.tree.args.defaults or unit.scope.namespace.defaults)
    parameters = _arguments(unit.tree.args, list(given.values()), defaults)
    unit.tree = definition(title, parameters, [*checks, *begun, *block])
    ending = unit.tree.body[-1]
    if request.single:
        unit.tree.body[-1] = alone = gast.Return(value=ending.value.elts[1])
        alone.origin = origin_of(ending)
    unit.keep("forward")
    dots = {dot: tangent_kind(unit.given.get(own)) for own, dot in given.items()}
    known = kinds(unit.tree, {**unit.given, **dots}, unit.scope, partial(_result, unit))
    return unit.tree, known


def _result(unit: Unit, function: Any, given: list[Kind | None]) -> Kind | None:
    """The kind that a function returns which is called as it is; ours are not looked into."""
    for cell, _ in unit.recursion.functions.values():
        with contextlib.suppress(ValueError):  # it is still being compiled
            if cell.cell_contents is function:
                return UNKNOWN
    return unit.recursion.result(function, given)


def tangent_parameters(tree: gast.FunctionDef, wrt: Iterable[str]) -> tuple[str, ...]:
    """What the tangents of parameters are called: `x_dot`, if the function has no such name."""
    names = Names(all_names(tree))
    return tuple(names.fresh(f"{parameter}_dot") for parameter in wrt)


def used_parts(tree: gast.FunctionDef, carries: Callable[[str], bool]) -> dict[str, frozenset[int]]:
    """For names that are only taken apart, the places of the parts that carry a derivative."""
    parts: dict[str, frozenset[int]] = {}
    counts: dict[str, int] = {}
    for node in nodes(tree):
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load):
            counts[node.id] = counts.get(node.id, 0) + 1
        if not isinstance(node, gast.Assign) or not isinstance(node.value, gast.Name):
            continue
        target = node.targets[0]
        starred = any(isinstance(part, gast.Starred) for part in getattr(target, "elts", ()))
        if isinstance(target, gast.Tuple) and not starred:
            found = {k for k, part in enumerate(target.elts) if carries(part.id)}
            parts[node.value.id] = frozenset(found)
    return {own: found for own, found in parts.items() if counts[own] == 1}


def _tangents_of_parameters(
    unit: Unit, forward: Forward, aliases: Aliases, given: set[str]
) -> list[gast.stmt]:
    """Copies of tangents that change with their arguments; zeros for what has none and needs it."""
    out: list[gast.stmt] = []
    for parameter in parameters(unit.tree.args):
        if not forward.carries(parameter):
            continue
        kind = forward.kinds.names.get(parameter)
        dot = forward.follow(parameter)
        if parameter not in given:
            value = zero_of(forward, name(parameter))
        elif not aliases.is_changed(parameter) or isinstance(kind, Scalar):
            continue
        elif isinstance(kind, Array):
            value = quote("x.copy()", x=dot)
            if forward.depends_on_layout:
                value = quote("f(g, x)", f=forward.helper("tangent_of"), g=dot, x=parameter)
        else:
            value = quote("f(x)", f=forward.helper("copied"), x=dot)
        out.append(gast.Assign(targets=[store(dot)], value=value))
    return out


def _arguments(arguments: gast.arguments, dots: list[str], defaults: bool) -> gast.arguments:
    """The parameters, and the tangents after them; `defaults`: whether the last have some."""
    new = bare(arguments)
    own = [name(dot, gast.Param()) for dot in dots]
    if new.vararg or new.kwarg or new.kwonlyargs or defaults:
        new.kwonlyargs = [*new.kwonlyargs, *own]
        new.kw_defaults = [*new.kw_defaults, *(None for _ in own)]
    else:
        new.args = [*new.args, *own]
    return new

"""Calls of user functions become their bodies, as the kinds tell what is called."""

from __future__ import annotations

from functools import partial
from typing import Any

import gast

from autodiff.analysis.callees import Resolver
from autodiff.analysis.kind import Array, Scalar
from autodiff.analysis.kinds import kinds
from autodiff.analysis.known import Kinds
from autodiff.analysis.objects import may_hold_object
from autodiff.analysis.stored import stored_into
from autodiff.errors import UnsupportedSyntaxError
from autodiff.normalize.inline import Inliner
from autodiff.normalize.sites import Direct
from autodiff.pipeline.functions_given import functions_given
from autodiff.pipeline.narrowing import narrowed
from autodiff.pipeline.objects.closing import closed
from autodiff.pipeline.objects.opening import opened, with_body
from autodiff.pipeline.objects.rewriting import rewritten
from autodiff.pipeline.objects.unrolling import unrolled
from autodiff.pipeline.pruned import pruned
from autodiff.pipeline.unit import Unit
from autodiff.pipeline.unnested import unnested
from autodiff.syntax.walk import of_class


def specialize(unit: Unit) -> Kinds:
    """kinds and inline, until no call of a user function carries a derivative any more.

    Objects that are changed or made on the way are replaced by the variables that hold their parts.
    """
    scope = unit.scope
    before = unit.tree, dict(scope.objects), set(scope.opened), set(unit.entries), set(unit.givens)
    try:
        return _specialized(unit)
    except UnsupportedSyntaxError:
        if not scope.hoped:
            raise
    scope.hoping = scope.hoped = False
    unit.tree, scope.objects, scope.opened, unit.entries, unit.givens = before
    return _specialized(unit)


def _specialized(unit: Unit) -> Kinds:
    chains: dict[int, tuple[Any, ...]] = {}
    hopeful, assumed = True, {}
    kept = []  # statements are told apart by id, so none may be forgotten
    while True:
        kept.append(unit.tree)
        exact: Kinds | None = None
        stored = stored_into(unit.tree)
        if unit.scope.objects or stored or _names_attributes(unit.tree):
            exact = kinds(unit.tree, unit.given, unit.scope, unit.recursion.result, loosen=False)
            inliner = _inliner(unit, exact, chains)
            if (
                unrolled(unit, exact, inliner)
                or opened(unit, exact, inliner)
                or rewritten(unit, exact, inliner)
            ):
                continue
        if exact is not None and _is_plain(unit, exact, stored):
            known = exact  # neither hope nor what is stored would make a difference
        else:
            known = kinds(
                unit.tree, unit.given, unit.scope, unit.recursion.result, hopeful=hopeful
            )
        if not unit.scope.objects and not known.pending and pruned(unit, known):
            continue
        if narrowed(unit, known, chains):
            continue
        marked = set(unit.recursion.marked)
        resolver = Resolver(
            unit.tree, known, unit.inputs, chains, unit.main, unit.recursion.marked
        )
        resolver.stands_apart = partial(apart, unit, known)
        resolver.waits = unit.recursion.asked and not unit.recursion.summarize
        inliner = _inliner(unit, known, chains, resolver)
        body = inliner.block(unit.tree.body)
        assumed.update(resolver.assumed)
        settled = not inliner.changed and marked == unit.recursion.marked
        if settled and hopeful and known.pending:
            hopeful = False
            continue
        hopeful = True
        if settled and unit.scope.objects and pruned(unit, known):
            continue
        if settled and unit.recursion.asked and not unit.recursion.summarize:
            unit.recursion.summarize = True
            continue
        if settled:
            check_classes(exact or known, assumed)
            if unit.scope.objects:
                closed(unit, exact or known, inliner)
                known = kinds(unit.tree, unit.given, unit.scope, unit.recursion.result)
                while narrowed(unit, known, chains):  # what was an object may be None or a value
                    known = kinds(unit.tree, unit.given, unit.scope, unit.recursion.result)
            unit.keep("inline")
            return known
        unit.tree = with_body(unit.tree, body)
        unit.guards.extend(inliner.guards)
        unit.checks.extend(resolver.checks)


def apart(unit: Unit, known: Kinds, function: Any, *rest: Any) -> Direct:
    """The call of a recursive function that is nested, or is given functions that are."""
    if isinstance(function, gast.AST):
        return unnested(unit, known, function, *rest)
    return functions_given(unit, known, function, *rest)


def _inliner(
    unit: Unit, known: Kinds, chains: dict[int, tuple[Any, ...]], resolver: Resolver | None = None
) -> Inliner:
    inliner = Inliner(
        unit.names, unit.scope, set(known.local), resolver.resolve if resolver else _nothing
    )
    inliner.chains = chains
    inliner.temporaries = unit.temporaries
    return inliner


def check_classes(known: Kinds, assumed: dict[str, type]) -> None:
    """Refuse if a name whose methods were inlined turned out to hold objects of several classes."""
    for identifier, cls in assumed.items():
        kind = known.names.get(identifier)
        if kind is not None and getattr(kind, "cls", None) is not cls:
            raise UnsupportedSyntaxError(
                f"`{identifier}` is a {cls.__name__} here and something else there",
                why="which method it calls is only known at run time",
                cure="use a name for each class of objects",
            )


def _is_plain(unit: Unit, known: Kinds, stored: set[str]) -> bool:
    """Whether no name may hold an object, and only arrays are stored into."""
    arrays = all(isinstance(known.names.get(name), (Array, Scalar)) for name in stored)
    return arrays and not unit.scope.objects and not any(map(may_hold_object, known.names.values()))


def _names_attributes(tree: gast.FunctionDef) -> bool:
    """Whether attributes are named by strings: `getattr(x, name)`."""
    return not {"getattr", "setattr"}.isdisjoint([n.id for n in of_class(tree, gast.Name)])


def _nothing(statement: gast.stmt, value: gast.expr) -> None:
    return None

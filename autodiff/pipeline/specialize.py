"""Calls of user functions become their bodies, as the kinds tell what is called."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import gast
import numpy as np

from autodiff.analysis.callees import Resolver
from autodiff.analysis.kept import handed_functions
from autodiff.analysis.kind import Array, Bound, Derived, Scalar
from autodiff.analysis.kinds import kinds
from autodiff.analysis.known import Kinds
from autodiff.analysis.objects import may_hold_object
from autodiff.analysis.operators import check_joined
from autodiff.analysis.stored import stored_into
from autodiff.errors import UnsupportedSyntaxError
from autodiff.normalize.inline import Inliner
from autodiff.normalize.sites import Direct, Replacement
from autodiff.normalize.versions import versions
from autodiff.optimize.unread_functions import unread_functions
from autodiff.pipeline.divided import Inlined, divided
from autodiff.pipeline.flats import flats
from autodiff.pipeline.functions_given import functions_given
from autodiff.pipeline.narrowing import narrowed
from autodiff.pipeline.objects.asked import asked
from autodiff.pipeline.objects.closing import closed
from autodiff.pipeline.objects.followed import Followed
from autodiff.pipeline.objects.latest import refused
from autodiff.pipeline.objects.opening import opened, with_body
from autodiff.pipeline.objects.rewriting import rewritten
from autodiff.pipeline.objects.unrolling import unrolled
from autodiff.pipeline.outcomes import outcome
from autodiff.pipeline.pruned import pruned
from autodiff.pipeline.reassigned import reassigned, trimmed
from autodiff.pipeline.request import SizesTold
from autodiff.pipeline.tested import tested
from autodiff.pipeline.told_sizes import told_sizes
from autodiff.pipeline.unit import Unit
from autodiff.pipeline.unnested import alone, unnested
from autodiff.pipeline.valueless import valueless
from autodiff.pipeline.views import views
from autodiff.syntax.names import writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import of_class, statements

Resolve = Callable[[gast.stmt, gast.expr], "Replacement | None"]


def _nothing(statement: gast.stmt, value: gast.expr) -> None:
    return None


def specialize(unit: Unit) -> Kinds:
    """kinds and inline, until no call of a user function carries a derivative any more.

    Objects that are changed or made on the way are replaced by the variables that hold their parts.
    """
    scope = unit.scope
    tree, objects = unit.tree, dict(scope.objects)
    sets = [set(s) for s in (scope.opened, scope.framed, unit.entries, unit.givens)]
    taken, temporaries, helpers = set(unit.names.taken), set(unit.temporaries), {**scope.helpers}
    patient = False
    while True:
        unit.followed = Followed(patient)
        try:
            known = _specialized(unit)
            if known is not None:
                return known
            unit.names.taken, unit.temporaries = set(taken), set(temporaries)
            scope.helpers = {**helpers}
        except UnsupportedSyntaxError:
            if unit.followed.failed and not patient:
                patient = True
            elif scope.kept and scope.framing:
                scope.framing = scope.kept = False
            elif scope.hoped:
                scope.hoping = scope.hoped = False
            else:
                raise
        unit.tree, scope.objects = tree, dict(objects)
        scope.opened, scope.framed, unit.entries, unit.givens = map(set, sets)


def _specialized(unit: Unit) -> Kinds | None:
    """The kinds once all is inlined; None where that is too much text, for another attempt."""
    chains: dict[int, tuple[Any, ...]] = {}
    inlined = Inlined()
    hopeful, assumed = True, {}
    settled = False
    kept = []  # statements are told apart by id, so none may be forgotten
    while True:
        kept.append(unit.tree)
        if views(unit, chains):
            continue
        exact: Kinds | None = None
        stored = stored_into(unit.tree).names
        if unit.scope.objects or stored or _names_attributes(unit.tree):
            exact = kinds(unit.tree, unit.given, unit.scope, unit.recursion.result, loosen=False)
            inliner = _inliner(unit, exact, chains)
            if (
                unrolled(unit, exact, inliner)
                or opened(unit, exact, inliner)
                or (settled or not unit.followed.patient) and rewritten(unit, exact, inliner)
            ):
                settled = False
                continue
        if exact is not None and _is_plain(unit, exact, stored):
            known = exact  # neither hope nor what is stored would make a difference
        else:
            known = kinds(
                unit.tree, unit.given, unit.scope, unit.recursion.result, hopeful=hopeful
            )
        if known.kept:
            names = sorted(known.kept)
            shown = next((n for n in names if n not in unit.temporaries), names[0])
            raise _kept(unit, [s for s in statements(unit.tree) if shown in writes(s)], shown)
        if not unit.scope.objects and not known.pending and pruned(unit, known):
            continue
        if any(step(unit, known, chains) for step in (narrowed, tested, valueless)):
            continue
        if flats(unit, known, chains, partial(_inliner(unit, known, chains).helper, "np", np)):
            continue
        marked = set(unit.recursion.marked)
        resolver = Resolver(
            unit.tree, known, unit.inputs, chains, unit.main, unit.recursion.marked
        )
        resolver.stands_apart = partial(apart, unit, known)
        resolver.stands_alone = partial(alone, unit, known)
        resolver.entries = unit.recursion.entries
        resolver.waits = unit.recursion.asked and not unit.recursion.summarize
        inliner = _inliner(unit, known, chains, inlined.counting(resolver))
        body = inliner.block(unit.tree.body)
        assumed.update(resolver.assumed)
        waited = settled or not (unit.followed.patient and unit.scope.objects)
        settled = not inliner.changed and marked == unit.recursion.marked
        if settled and not waited:
            continue
        if settled and hopeful and (known.pending or resolver.left_open):
            hopeful = False
            continue
        hopeful = True
        if settled and unit.scope.objects:
            if pruned(unit, known) or asked(unit, known, inliner, resolver):
                continue
        by_kinds = unit.scope.by_kinds and not unit.scope.objects
        if settled and by_kinds and (_split(unit, chains) or _split(unit, chains, known)):
            continue
        if settled and unit.recursion.asked and not unit.recursion.summarize:
            unit.recursion.summarize = True
            continue
        if settled:
            handed = handed_functions(unit.tree, known, unit.scope.framed)
            if handed:
                raise _kept(unit, handed)
            check_classes(exact or known, assumed)
            check_joined(resolver, unit.tree)
            if unit.scope.objects:
                _check_followed(unit, exact or known)
                closed(unit, exact or known, inliner)
                known = kinds(unit.tree, unit.given, unit.scope, unit.recursion.result)
                while narrowed(unit, known, chains):  # what was an object may be None or a value
                    known = kinds(unit.tree, unit.given, unit.scope, unit.recursion.result)
            unit.told = told_sizes(unit, known)
            if unit.told & unit.asked:
                raise SizesTold(unit.told)
            if unit.tree is not unit.stages[0][1]:  # what is only made for calls that are inlined
                unit.tree = unread_functions(unit.tree, partial(_makes, known))
            unit.keep("inline")
            return known
        unit.tree = with_body(unit.tree, body)
        unit.guards.extend(inliner.guards)
        unit.checks.extend(resolver.checks)
        if divided(unit, inlined, chains):
            return None


def _check_followed(unit: Unit, known: Kinds) -> None:
    """Refuse if a name whose parts were replaced turned out to mean something else as well."""
    mistaken = unit.followed.mistaken(known)
    if mistaken is not None:
        unit.followed.failed = True
        identifier, own = mistaken
        made = [s for s in statements(unit.tree) if identifier in writes(s)]
        why = f"`{identifier}` may mean another object"
        raise refused(unit.scope.objects, own, identifier, made[-1] if made else None, why)


def _makes(known: Kinds, value: gast.expr) -> bool:
    """Whether a call does nothing but make a function: a derivative, or a partial."""
    return isinstance(known.of(value), (Bound, Derived))


def _split(unit: Unit, chains: dict[int, tuple[Any, ...]], known: Kinds | None = None) -> bool:
    """Give each version of a name its own: its kind may decide tests. Whether any was split.

    With `known` also those that a test asks for its type and its branches assign again.
    """
    tree = unit.tree if known is None else reassigned(unit.tree, known, chains)
    new, versioned = versions(tree, unit.names)
    if not versioned:
        return False
    for before, after in zip(statements(tree), statements(new)):
        if id(before) in chains:
            chains[id(after)] = chains[id(before)]
    unit.temporaries |= {own for own, old in versioned.items() if old in unit.temporaries}
    unit.tree = new if known is None else trimmed(new, chains)
    return True


def _kept(unit: Unit, holding: list[gast.stmt], shown: str = "") -> UnsupportedSyntaxError:
    """Functions that a helper makes in a loop are held longer than it takes to make the next."""
    unit.scope.kept = True
    return UnsupportedSyntaxError(
        (f"`{shown}` may hold" if shown else "this may hold")
        + " functions that are made in a loop, and be read outside of it or later",
        origin_of(holding[0]) if holding else None,
        why="what makes them is inlined, so all would read the variables of the last iteration",
        cure="call each where it is made, or keep what it reads, and give that to one function",
    )


def apart(unit: Unit, known: Kinds, function: Any, *rest: Any) -> Direct:
    """The call of a recursive function that is nested, or is given functions that are."""
    if isinstance(function, gast.AST):
        return unnested(unit, known, function, *rest)
    return functions_given(unit, known, function, *rest)


def _inliner(
    unit: Unit,
    known: Kinds,
    chains: dict[int, tuple[Any, ...]],
    resolve: Resolve = _nothing,
) -> Inliner:
    inliner = Inliner(unit.names, unit.scope, set(known.local), resolve)
    inliner.chains = chains
    inliner.decide = partial(outcome, unit, known, inliner)
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


def _is_plain(unit: Unit, known: Kinds, stored: frozenset[str]) -> bool:
    """Whether no name may hold an object, and only arrays are stored into."""
    arrays = all(isinstance(known.names.get(name), (Array, Scalar)) for name in stored)
    return arrays and not unit.scope.objects and not any(map(may_hold_object, known.names.values()))


def _names_attributes(tree: gast.FunctionDef) -> bool:
    """Whether attributes are named by strings: `getattr(x, name)`."""
    return not {"getattr", "setattr"}.isdisjoint([n.id for n in of_class(tree, gast.Name)])

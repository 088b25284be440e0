"""Calls of user functions become their bodies, as the kinds tell what is called."""

from __future__ import annotations

from typing import Any

import gast

from autodiff.analysis.activity import varied
from autodiff.analysis.callees import Resolver
from autodiff.analysis.kinds import kinds
from autodiff.analysis.known import Kinds
from autodiff.normalize.inline import Inliner
from autodiff.pipeline.unit import Unit
from autodiff.syntax.walk import map_children


def specialize(unit: Unit) -> Kinds:
    """kinds and inline, until no call of a user function carries a derivative any more."""
    chains: dict[int, tuple[Any, ...]] = {}
    while True:
        known = kinds(unit.tree, unit.given, unit.scope, unit.recursion.result)
        depends = varied(unit.tree, known, unit.inputs)
        local = set(known.local)
        marked = set(unit.recursion.marked)
        resolver = Resolver(known, depends, chains, unit.main, unit.recursion.marked)
        resolver.see(unit.tree)
        inliner = Inliner(unit.names, unit.scope, local, resolver.resolve)
        inliner.chains = chains
        body = inliner.block(unit.tree.body)
        settled = not inliner.changed and marked == unit.recursion.marked
        if settled and unit.recursion.asked and not unit.recursion.summarize:
            unit.recursion.summarize = True
            continue
        if settled:
            unit.keep("inline")
            return known
        unit.tree = _with_body(unit.tree, body)
        unit.temporaries |= inliner.temporaries
        unit.guards.extend(inliner.guards)


def _with_body(tree: gast.FunctionDef, body: list[gast.stmt]) -> gast.FunctionDef:
    new = map_children(lambda child: child, tree)
    new.body = body
    return new

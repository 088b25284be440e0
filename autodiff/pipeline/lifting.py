"""Functions that work on adjoints are written beside the derivative, not into its loops."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gast

from autodiff.analysis.kind import Local, Static
from autodiff.analysis.known import Kinds
from autodiff.loader import load, place_of
from autodiff.pipeline.unit import Unit
from autodiff.runtime import inserted
from autodiff.syntax.emit import emit
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import map_children, of_class


def lifted(unit: Unit, known: Kinds) -> None:
    """Take the functions that `insert_grad_of` made out of the tree; they read no local names."""
    found: dict[str, Any] = {}
    for call in of_class(unit.tree, gast.Call):
        operation = known.call_operation(call)
        if operation is None or operation.function is not inserted:
            continue
        kind = known.known(call.args[1])
        if isinstance(kind, Local):
            found[call.args[1].id] = kind.node
    if not found:
        return
    scope = unit.scope
    namespace = replace(scope.namespace, defaults=(), kwdefaults={})
    for own, node in found.items():
        if own in unit.recursion.titles:
            continue
        unit.recursion.titles.add(own)
        emitted = emit(node)
        title = f"{own} {place_of(unit.main)}"
        made = load(emitted.text, title, namespace, scope.helpers, emitted.origins)
        scope.helpers[own] = made
        unit.recursion.sources.append(emitted.text)
        known.names[own] = Static(made)
    known.local -= frozenset(found)
    known.forget()

    def visit(node: gast.AST) -> Any:
        if isinstance(node, gast.FunctionDef) and node.name in found and node is not unit.tree:
            return None
        new = map_children(visit, node)
        if isinstance(node, gast.stmt):
            new.origin = origin_of(node)
        for field in ("body",):
            if getattr(new, field, None) == []:
                new.body = [gast.Pass()]
        return new

    unit.tree = visit(unit.tree)

"""Tests of a function to inline that the arguments of its call decide."""

from __future__ import annotations

import gast

from autodiff.analysis.decided import decided
from autodiff.analysis.kind import Static
from autodiff.analysis.known import Kinds
from autodiff.analysis.objects import Parts
from autodiff.normalize.inline import Inliner
from autodiff.normalize.sites import Callee
from autodiff.pipeline.unit import Unit
from autodiff.syntax.names import name, parameters, reads, substitute, writes
from autodiff.syntax.walk import of_class


def outcome(
    unit: Unit,
    known: Kinds,
    inliner: Inliner,
    callee: Callee,
    test: gast.expr,
    given: dict[str, gast.expr],
) -> bool | None:
    """The outcome of a test of the callee's, by the arguments in it; None if it is not known.

    As long as calls are not inlined that may assign to variables of the caller's, only arguments
    that are none decide. Nor does a variable that holds None or an option: it may be a parameter of
    the function that is differentiated, and who saves the derivative may give another. Globals must
    mean the same to both functions.
    """
    own = writes(callee.tree.body) | set(parameters(callee.tree.args))
    unknown: dict[str, gast.expr] = {}
    for identifier in sorted(reads(test) - given.keys()):
        if identifier in own or not _is_same(unit, inliner, callee, identifier):
            unknown[identifier] = name(f"{identifier} of the callee")
    new = substitute(test, {**unknown, **given})
    variables = reads(new) & known.local
    if any(isinstance(known.names.get(variable), Static) for variable in variables):
        return None
    if variables and of_class(unit.tree, gast.Nonlocal):
        return None
    if not variables.isdisjoint(_still_open(unit, known)):
        return None
    return decided(new, known)


def _still_open(unit: Unit, known: Kinds) -> set[str]:
    """The variables that may come from parts of objects, which calls that are not inlined change,
    or from what such calls return.
    """
    if known.pending:
        return set(known.local)
    found = {part for made in unit.scope.objects.values() for part in made.fields.values()}
    found |= {own for own, kind in known.names.items() if isinstance(kind, Parts)}
    flows = [(node, node) for node in of_class(unit.tree, gast.Assign, gast.AugAssign)]
    flows += [(node.iter, node.target) for node in of_class(unit.tree, gast.For)]
    while found:
        more = {target for source, own in flows if reads(source) & found for target in writes(own)}
        if more <= found:
            break
        found |= more
    return found


def _is_same(unit: Unit, inliner: Inliner, callee: Callee, identifier: str) -> bool:
    """Whether a global of the callee's means the same here; then it is to stay what it is."""
    if callee.namespace is None or identifier in inliner.local:
        return False
    try:
        value = callee.namespace.lookup(identifier)
        if unit.scope.lookup(identifier) is not value:
            return False
    except (KeyError, ValueError):
        return False
    inliner.guards.append((callee.namespace, identifier, value))
    return True

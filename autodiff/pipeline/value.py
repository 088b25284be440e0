"""The function itself, as the passes before differentiation leave it."""

from __future__ import annotations

import gast

from autodiff import runtime
from autodiff.analysis.alias import alias
from autodiff.analysis.known import Kinds
from autodiff.optimize.change import changed
from autodiff.pipeline.beginnings import beginnings
from autodiff.pipeline.marks import unmarked
from autodiff.pipeline.transform import checks_first
from autodiff.pipeline.unit import Unit
from autodiff.reverse.assemble import bare
from autodiff.reverse.helpers import Helpers


def value(unit: Unit, known: Kinds) -> gast.FunctionDef:
    """The primal with copies of the arguments that it changes, checked as its derivative does.

    For backends that compile the value by themselves, in the meaning that the derivative has.
    """
    unmarked(unit, known)
    helpers = Helpers(unit.scope, unit.names, known.local)

    def helper(identifier: str) -> gast.expr:
        return helpers.use(identifier, getattr(runtime, identifier))

    checks, forward = checks_first(unit.tree.body, known)
    begun = beginnings(unit, known, alias(unit.tree, known), helper, forward)
    new: gast.FunctionDef = changed(
        unit.tree,
        name=f"{unit.tree.name}_value",
        args=bare(unit.tree.args),
        body=[*checks, *begun.statements, *begun.forward],
    )
    unit.tree = new
    return new

"""From the generated function to the one that Numba compiles: the list of native passes."""

from __future__ import annotations

import gast

from autodiff.analysis.kind import Static
from autodiff.analysis.known import Kinds
from autodiff.native.entry import entry
from autodiff.native.fence import fence
from autodiff.native.loops import loops
from autodiff.native.overlaps import overlaps
from autodiff.native.rematerialize import rematerialize
from autodiff.native.tapes import tapes
from autodiff.native.values import values
from autodiff.native.vocabulary import REPLACED
from autodiff.optimize.change import map_parts
from autodiff.optimize.dead_code import dead_code
from autodiff.optimize.facts import Facts
from autodiff.pipeline.unit import Unit
from autodiff.reverse.helpers import Helpers
from autodiff.syntax.names import Names, all_names


def lower(unit: Unit, known: Kinds, told: Facts) -> gast.FunctionDef:
    """The function of `unit` in what Numba takes; NativeError for what cannot be said in it."""
    tree = unit.tree
    names = Names({*all_names(tree), *unit.names.taken})
    found = values(tree, known)
    helpers = Helpers(unit.scope, names, found.local)
    tree = dead_code(rematerialize(tree, found, names), told)
    found = values(tree, known)
    tree = loops(tree, helpers)
    tree = tapes(tree, found, names, helpers)
    found = values(tree, found)
    tree = overlaps(tree, found)
    tree = _replaced(tree, found, helpers)
    fence(tree, values(tree, found), unit.given)
    return entry(tree, unit.given, helpers)


def _replaced(tree: gast.FunctionDef, known: Kinds, helpers: Helpers) -> gast.FunctionDef:
    """Calls of functions that Numba compiles for few types, as calls of helpers."""

    def visit(node: gast.AST) -> gast.AST:
        new = map_parts(visit, node)
        kind = known.of(node.func) if isinstance(node, gast.Call) else None
        if isinstance(kind, Static) and not isinstance(kind.value, (str, bytes, slice)):
            helper = next((h for f, h in REPLACED.items() if f is kind.value), None)
            if helper is not None:
                new.func = helpers.use(helper.__name__, helper)
        return new

    result: gast.FunctionDef = map_parts(visit, tree)
    return result

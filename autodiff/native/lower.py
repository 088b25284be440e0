"""From the generated function to the one that Numba compiles: the list of native passes."""

from __future__ import annotations

import gast

from autodiff.analysis.known import Kinds
from autodiff.errors import NativeError
from autodiff.native.calls import calls
from autodiff.native.elements import elements
from autodiff.native.entry import entry
from autodiff.native.fence import fence
from autodiff.native.loops import loops
from autodiff.native.overlaps import overlaps
from autodiff.native.rematerialize import rematerialize
from autodiff.native.tapes import tapes
from autodiff.native.updates import updates
from autodiff.native.values import values
from autodiff.optimize.dead_code import dead_code
from autodiff.optimize.facts import Facts
from autodiff.pipeline.unit import Unit
from autodiff.reverse.helpers import Helpers
from autodiff.syntax.names import Names, all_names
from autodiff.syntax.origin import origin_of


def lower(unit: Unit, known: Kinds, told: Facts) -> gast.FunctionDef:
    """The function of `unit` in what Numba takes; NativeError for what cannot be said in it."""
    tree = unit.tree
    if unit.recursion.functions:
        raise NativeError(
            "a function that calls itself cannot be compiled natively",
            origin_of(tree),
            why="its derivative is a pair of functions that hand values over on a tape of objects",
            cure='write it as a loop, or leave backend="numba" out',
        )
    names = Names({*all_names(tree), *unit.names.taken})
    found = values(tree, known)
    helpers = Helpers(unit.scope, names, found.local)
    tree = dead_code(rematerialize(tree, found, names), told)
    found = values(tree, known)
    tree = loops(tree, helpers)
    tree = tapes(tree, found, names, helpers)
    found = values(tree, found)
    tree = calls(tree, found, helpers)
    tree = updates(elements(tree, found, names, helpers), values(tree, found))
    tree = overlaps(tree, values(tree, found))
    fence(tree, values(tree, found), unit.given)
    return entry(tree, unit.given, helpers)

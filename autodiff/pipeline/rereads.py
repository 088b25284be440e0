"""Refuses a reverse sweep that reads a name from outside after a call has given it another value.

    y = x * STEP                x_bar = y_bar * STEP      refused: STEP is what `reset` made of it
    reset()                     x_bar = y_bar * y / x     stays
"""

from __future__ import annotations

from functools import partial

import gast

from autodiff.optimize.facts import Facts
from autodiff.optimize.sections import map_reverse, reverse_sweep
from autodiff.pipeline.unit import Unit
from autodiff.reverse.outer import is_read


def check_rereads(unit: Unit, tree: gast.FunctionDef, told: Facts) -> None:
    """Raise `UnsupportedSyntaxError` for such a name, in the optimised tree."""
    for identifier, error in unit.rebound.items():
        check = partial(_check, identifier, error)
        map_reverse(check, tree, told, whole=reverse_sweep(tree.body) == len(tree.body))


def _check(identifier: str, error: Exception, node: gast.stmt) -> gast.stmt:
    if is_read(identifier, node):
        raise error
    return node

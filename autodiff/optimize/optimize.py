"""The optimisations in their order, until nothing changes."""

from __future__ import annotations

import gast

from autodiff.optimize.dead_code import dead_code
from autodiff.optimize.facts import Facts
from autodiff.optimize.fold import fold
from autodiff.optimize.merge_pushes import merge_pushes
from autodiff.optimize.options import Options
from autodiff.optimize.propagate import propagate
from autodiff.optimize.substitute import substitute

_PASSES = (
    fold,
    propagate,
    dead_code,
    merge_pushes,  # before expressions move into the pushes: names move more easily
    substitute,
)
ALL = Options()

_ROUNDS = 10
"""Every round makes the function smaller; two are usual."""


def optimize(tree: gast.FunctionDef, facts: Facts, options: Options = ALL) -> gast.FunctionDef:
    """The function with less to compute, less on the tape and fewer names: the same results.

    A pass that finds nothing returns the tree that it was given.
    """
    passes = [step for step in _PASSES if getattr(options, step.__name__)]
    idle = 0
    for step in passes * _ROUNDS:
        new = step(tree, facts)
        idle = idle + 1 if new is tree else 0
        if idle == len(passes):
            break
        tree = new
    return tree

"""The optimisations in their order, until nothing changes."""

from __future__ import annotations

from collections.abc import Callable

import gast

from autodiff.optimize.chosen import chosen
from autodiff.optimize.coalesce import coalesce
from autodiff.optimize.common_pushes import common_pushes
from autodiff.optimize.complements import complements
from autodiff.optimize.constants import constants
from autodiff.optimize.contract import contract
from autodiff.optimize.dead_code import dead_code
from autodiff.optimize.dead_stores import dead_stores
from autodiff.optimize.displays import displays
from autodiff.optimize.facts import Facts
from autodiff.optimize.first_items import first_items
from autodiff.optimize.first_stores import first_stores
from autodiff.optimize.fold import fold
from autodiff.optimize.hoist import hoist
from autodiff.optimize.independent import independent
from autodiff.optimize.last_copies import last_copies
from autodiff.optimize.like_terms import like_terms
from autodiff.optimize.likes import likes
from autodiff.optimize.localize import localize
from autodiff.optimize.masks import masks
from autodiff.optimize.merge_pushes import merge_pushes
from autodiff.optimize.methods import methods
from autodiff.optimize.options import Options
from autodiff.optimize.packed import packed
from autodiff.optimize.popped import popped
from autodiff.optimize.propagate import propagate
from autodiff.optimize.regroup import regroup
from autodiff.optimize.retest import retest
from autodiff.optimize.reuse import reuse
from autodiff.optimize.roots import roots
from autodiff.optimize.same_tests import same_tests
from autodiff.optimize.signs import signs
from autodiff.optimize.slots import slots
from autodiff.optimize.substitute import substitute
from autodiff.optimize.totals import totals
from autodiff.optimize.transposes import transposes
from autodiff.optimize.unwind import unwind
from autodiff.optimize.wholes import wholes

_Passes = tuple[Callable[[gast.FunctionDef, Facts], gast.FunctionDef], ...]
_NONE: _Passes = ()

_PASSES: _Passes = (
    fold,
    displays,
    propagate,
    dead_code,
    merge_pushes,  # before expressions move into the pushes: names move more easily
    common_pushes,
    substitute,
)
_ONCE: _Passes = (reuse,)  # before `substitute` moves values away from their names
_LAST: _Passes = (
    dead_stores,
    coalesce,
    localize,  # before slots are left as views
    slots,
    packed,
    first_stores,
    first_items,
    roots,  # before sums, whose terms become alike
    totals,
    like_terms,
    signs,
    contract,
    transposes,
    complements,
    likes,
    constants,
    methods,
    chosen,
    retest,
    regroup,
    hoist,
    independent,  # after all that rounds otherwise
    same_tests,
    popped,
    unwind,  # when no more pushes merge
)
ALL = Options()

_ROUNDS = 10
"""Every round makes the function smaller; two are usual."""


def optimize(tree: gast.FunctionDef, facts: Facts, options: Options = ALL) -> gast.FunctionDef:
    """The function with less to compute, less on the tape and fewer names: the same results.

    A pass that finds nothing returns the tree that it was given.
    """
    tree = _settled(tree, facts, options, _ROUNDS, _ONCE)
    finished = masks(tree, facts)  # no optimisation: it decides what 0 * inf is
    rounds, once = 1, _NONE
    for step in _LAST:
        if getattr(options, step.__name__):
            new = step(finished, facts)
            if step is independent and new is not finished:
                rounds, once = _ROUNDS, _ONCE
            finished = new
    if finished is not tree:
        finished = _settled(finished, facts, options, rounds, once)
        finished = fold(finished, facts) if options.fold else finished
    finished = wholes(finished, facts) if options.wholes else finished
    return last_copies(finished, facts) if options.last_copies else finished


def _settled(
    tree: gast.FunctionDef, facts: Facts, options: Options, rounds: int, once: _Passes = ()
) -> gast.FunctionDef:
    """The function after so many rounds of the passes, or when one of them found nothing.

    Those of `once` take part in the first round, before the last pass.
    """
    passes = [step for step in _PASSES if getattr(options, step.__name__)]
    extra = [step for step in once if getattr(options, step.__name__)]
    idle = 0
    last: object = None
    for step in [*passes[:-1], *extra, *passes[-1:], *passes * (rounds - 1)]:
        if step is last and idle == len(passes) - 1 and step is not substitute:
            break  # only `substitute` may find more in what it has just returned
        new = step(tree, facts)
        if new is not tree:
            tree, idle, last = new, 0, step
        elif step in passes:
            idle += 1
            if idle == len(passes):
                break
    return tree

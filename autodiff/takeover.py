"""The switch: each derivative asks Core first; what Core does not take yet goes the old way."""

from __future__ import annotations

import os
from collections import Counter
from types import FunctionType
from typing import Any

from autodiff.compiled import Compiled
from autodiff.core.notyet import NotYet
from autodiff.core.verify import verify
from autodiff.dataflow.dead import remove_dead
from autodiff.emit.module import definition
from autodiff.emit.tape import uncounted
from autodiff.frontend.defaults import defaults_now
from autodiff.lean.lean import lean_memory, lean_sweep
from autodiff.loader import load, place_of
from autodiff.lower.frame import Unit
from autodiff.lower.function import lower
from autodiff.pipeline.guards import holding
from autodiff.pipeline.request import Request
from autodiff.reversal.differentiate import differentiate
from autodiff.reversal.finish import finish
from autodiff.reversal.record import record
from autodiff.syntax.emit import emit

ENABLED = os.environ.get("AUTODIFF_CORE", "") == "1"
"""Whether Core is asked at all: until it takes over, whoever wants to see it says so."""
CHECKED = os.environ.get("AUTODIFF_VERIFY", "") == "1"
REASONS: Counter[str] = Counter()
"""How often Core did not take a function yet, by reason."""


def taken(function: FunctionType, request: Request, doc: str) -> Compiled | None:
    """The derivative by way of Core; None if it is not taken yet."""
    if not ENABLED:
        return None
    try:
        return through_core(function, request, doc)
    except NotYet as reason:
        REASONS[reason.reason] += 1
        return None


def through_core(function: FunctionType, request: Request, doc: str) -> Compiled:
    """The derivative by way of Core, or `NotYet`."""
    if request.mode not in ("grad", "value_and_grad", "vjp"):
        raise NotYet(f"mode {request.mode}")
    if request.backend is not None or request.composed or request.has_aux or request.narrow:
        raise NotYet("a request of another kind")
    unit = lower(function, request.kinds)
    made = unit.function
    made.name = request.title or f"{function.__name__}_{request.mode}"
    by_name = {value.hint: value for value in made.body.parameters}
    checked(unit, "lower")
    differentiate(unit, [by_name[name] for name in request.wrt], request.mode)
    if request.single:
        made.outputs = made.outputs[0]
    checked(unit, "differentiate")
    remove_dead(made, recorded=False)
    lean_sweep(made, unit.references)
    record(made)
    checked(unit, "record")
    finish(made, unit.references)
    uncounted(made)
    remove_dead(made)
    lean_memory(made, unit.references)
    remove_dead(made)
    checked(unit, "remove_dead")
    tree, helpers = definition(made, unit.main, unit.references.objects, unit.free, doc)
    emitted = emit(tree)
    place = place_of(function.__code__)
    loaded = load(emitted.text, f"{tree.name} {place}", unit.main, helpers, emitted.origins)
    return Compiled(loaded, emitted.text, (), holding(unit.found, unit.members))


def checked(unit: Unit, after: str) -> None:
    """The invariants of Core, in the tests. Between `differentiate` and `record` values of mirrored
    blocks are used.
    """
    if CHECKED and after not in ("differentiate",):
        verify(unit.function, after)


__all__ = ["Any", "defaults_now", "taken", "through_core"]

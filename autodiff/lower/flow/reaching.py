"""What is read outside of a function, beside calls of which nothing is known."""

from __future__ import annotations

import dis
import functools
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from autodiff.core import About, LoadOuter, NotYet, Unseen
from autodiff.primitives.opaque import is_world

_SETS = "STORE_GLOBAL"
_REACHING = (
    "this runs what nothing is known of, which may change what the function reads outside",
    "what is read there is taken as it is when the derivative is compiled, or read once",
    "pass what is read as an argument, or call this before or behind the function",
)


def is_set(space: Any, identifier: str, found: Any) -> bool:
    """Whether a function beside a global sets it that is taken for constant."""
    beside = [each for each in space.globals.values() if isinstance(each, FunctionType)]
    return callable(found) and any(
        identifier in stored(each.__code__)
        for each in beside
        if identifier in each.__code__.co_names
    )


@functools.lru_cache(maxsize=4096)
def stored(code: CodeType) -> frozenset[str]:
    """The globals that code sets."""
    return frozenset(own.argval for own in dis.get_instructions(code) if own.opname == _SETS)


def may_change(unit: Any) -> bool:
    """Whether something is read outside that is no function, class or module."""
    code = (FunctionType, BuiltinFunctionType, np.ufunc, type, ModuleType)
    read = unit.fixed or unit.objects or unit.outer or unit.lasting
    return bool(read) or any(not isinstance(found, code) for _, _, found in unit.found.values())


def reach_outside(unit: Any) -> None:
    """What is read outside may be changed by what is opaque: it is read where it stands."""
    operations = list(unit.function.body.walk())
    opaque = [op for op in operations if is_world(op)]
    reaches = unit.reaches or unit.runs
    loads = [op for op in operations if isinstance(op, LoadOuter)] if reaches else []
    reason = ""
    if not opaque:
        return
    if reaches and (unit.elsewhere or unit.cells):
        reason = "a store outside, or a function that stays one, beside what nothing is known of"
        if unit.unseen and may_change(unit):
            raise Unseen(unit.unseen)
    elif unit.runs and (unit.fixed or any(is_set(*each) for each in unit.found.values())):
        reason = "code of the user's that may change what is taken for constant"
    elif reaches and unit.holding:
        reason = "what a container of outside holds, beside what may change it"
    if reason:
        if unit.unseen:
            raise Unseen(unit.unseen)
        with About(opaque[0]):
            raise NotYet.saying(reason, *_REACHING)
    for load in loads:
        load.early = True  # nobody reads it again
    regions = {load.result.region: None for load in loads if load.result.region is not None}
    for region in regions:
        region.written = region.exposed = True
    for op in opaque:
        op.outside = (unit.world.find(), *regions)

"""A function of Python's and all that it calls as Core."""

from __future__ import annotations

from types import FunctionType

from autodiff.analysis.kind import Kind
from autodiff.analysis.size import Told
from autodiff.lower.calls import call
from autodiff.lower.frame import Doors, Unit
from autodiff.lower.function import lower
from autodiff.lower.inlining import inlined


def lowered(
    function: FunctionType, kinds: tuple[Kind, ...], asked: frozenset[Told] = frozenset()
) -> Unit:
    """The function in Core; `NotYet` where something in it is not taken."""
    return lower(function, kinds, Doors(call, inlined, lower), asked)

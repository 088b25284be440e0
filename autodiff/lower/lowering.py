"""A function of Python's and all that it calls as Core."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any

from autodiff.analysis.kind import Kind
from autodiff.analysis.size import Told
from autodiff.core.notyet import NotYet
from autodiff.lower.calls import call
from autodiff.lower.frame import Doors, Unit
from autodiff.lower.function import lower
from autodiff.lower.inlining import inlined
from autodiff.lower.library import Drawn
from autodiff.lower.unfolding import Recursion


def lowered(
    function: FunctionType,
    kinds: tuple[Kind, ...],
    differentiated: Callable[..., None],
    asked: frozenset[Told] = frozenset(),
) -> Unit:
    """The function in Core; `NotYet` where something in it is not taken."""
    drawing: frozenset[Any] = frozenset()
    recursive: frozenset[CodeType] = frozenset()
    while True:
        try:
            doors = Doors(call, inlined, lower, differentiated, drawing, recursive, {})
            return lower(function, kinds, doors, asked)
        except Recursion as found:
            if not isinstance(found.identity, CodeType) or found.identity in recursive:
                raise
            recursive |= {found.identity}
        except Drawn as drawn:
            if drawn.origin is None or drawn.origin in drawing:
                raise NotYet(drawn.reason) from None
            drawing |= {drawn.origin}

"""What Core compiles at a time."""

from __future__ import annotations

from dataclasses import dataclass
from types import FunctionType
from typing import Any

from autodiff.analysis.kind import Kind
from autodiff.lower.entries.callables import Composed
from autodiff.lower.functions.conversion import Converted


@dataclass(frozen=True, slots=True)
class Half:
    """A derivative to compile: of a function, for kinds, with respect to parameters, in a form;
    several: along several directions at once.
    """

    function: FunctionType | Converted | Composed
    kinds: tuple[Kind, ...]
    wrt: tuple[str, ...]
    mode: str
    single: bool = False
    aux: bool = False
    several: bool = False


def half_of(inner: tuple[Any, ...], rest: tuple[Any, ...], function: FunctionType) -> Half:
    """A derivative of a function, or of derivatives of it."""
    return Half(Composed(function, inner) if inner else function, *rest)

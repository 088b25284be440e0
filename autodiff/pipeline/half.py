"""What Core compiles at a time."""

from __future__ import annotations

from dataclasses import dataclass
from types import FunctionType
from typing import Any

from autodiff.kinds.kind import Kind
from autodiff.lower.functions.conversion import Converted
from autodiff.lower.functions.outlined import Outlined
from autodiff.pipeline.request import Request


@dataclass(frozen=True, slots=True)
class Half:
    """A derivative to compile: of a function, for kinds, with respect to parameters, in a form.

    inner: each `Step` to what it is a derivative of, the innermost first. several: along several
    directions at once.
    """

    function: FunctionType | Converted | Outlined
    kinds: tuple[Kind, ...]
    wrt: tuple[str, ...]
    mode: str
    single: bool = False
    aux: bool = False
    inner: tuple[Any, ...] = ()
    several: bool = False


def rest_of(request: Request) -> tuple[Any, ...]:
    """What a request says beside the function."""
    is_bare = request.single and not request.pulled  # a pullback gives a tuple
    form = request.mode, is_bare, request.has_aux
    return request.kinds, request.wrt, *form, request.inner, request.directions


def half_of(rest: tuple[Any, ...], function: FunctionType) -> Half:
    """A derivative of a function."""
    return Half(function, *rest)

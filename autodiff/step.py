"""A derivative that a derivative is taken of: `grad(f)` in `grad(grad(f))`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from autodiff import cache
from autodiff.compiled import Compiled
from autodiff.optimize.options import Options
from autodiff.pipeline.request import Mode, Request

if TYPE_CHECKING:
    from autodiff.derivative import Derivative


@dataclass(frozen=True, slots=True)
class Step:
    """What it is told but its function, by which it is found again; see `Request.inner`."""

    mode: Mode
    wrt: tuple[str, ...]
    single: bool
    has_aux: bool
    options: Options


def steps(derivative: Derivative) -> tuple[Step, ...]:
    """What a derivative is, behind those that it is taken of: the innermost comes first."""
    form = derivative._is_single(), derivative.has_aux, derivative._options
    own, inner = Step(derivative.mode, derivative.wrt, *form), derivative._inner
    return (own,) if inner is None else (*steps(inner), own)


def of_text(derivative: Derivative, request: Request) -> Compiled:
    """What is asked of a derivative, made of the text of that: the way of the old compiler."""
    request = replace(request, inner=())
    first = derivative.composed(request.kinds, request.asked)
    found = cache.compiled(first.function, request)
    checks, told = (*first.guards, *found.guards), first.told | found.told
    return replace(found, guards=checks, unmarked=first.unmarked, told=told)

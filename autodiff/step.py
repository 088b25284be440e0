"""A derivative that a derivative is taken of: `grad(f)` in `grad(grad(f))`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from autodiff.optimize.options import Options
from autodiff.pipeline.request import Mode

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

"""What is measured: a primal, its derivative by hand, and what to call both with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import Any


@dataclass(frozen=True, slots=True)
class Workload:
    """One row of the table.

    `hand` takes the primal's arguments and returns what `grad(primal, wrt)` returns. It is what a
    careful person writes beside the primal: the primal's own statements forward, as a gradient
    must not change the value, and their adjoints backward, simplified. `tuned` is a second adjoint
    by hand where it is worth knowing how far more would go: leaving NumPy's types, or deriving it
    anew from the mathematics, with another arithmetic.
    With `refused` the primal stores into arrays, or calls `math`, which autograd refuses: it does
    not take part. `number`: which one of the suite W1 to W10 of the first issues it is, if any.
    """

    name: str
    primal: Callable[..., Any]
    wrt: str | tuple[str, ...]
    hand: Callable[..., Any]
    arguments: tuple[Any, ...]
    tuned: Callable[..., Any] | None = None
    tolerance: float = 1e-9
    refused: bool = False
    number: int = 0


def pair(
    primal: Callable[..., Any], wrt: str | tuple[str, ...], *arguments: Any, tolerance: float = 1e-9
) -> Workload:
    """A primal and the function `<its name>_by_hand` that stands beside it."""
    assert isinstance(primal, FunctionType)
    hand = primal.__globals__[f"{primal.__name__}_by_hand"]
    name = primal.__name__.replace("_", " ")
    return Workload(name, primal, wrt, hand, arguments, tolerance=tolerance)


def ported(primal: Callable[..., Any], numpy: object, special: object = None) -> Callable[..., Any]:
    """The same code with another module under the name `np`, in its helper functions too.

    `special`: what takes the place of `scipy.special`.
    """
    assert isinstance(primal, FunctionType)
    namespace = dict(primal.__globals__, np=numpy, special=special)
    for name, value in primal.__globals__.items():
        if isinstance(value, FunctionType) and value.__module__ == primal.__module__:
            copy = FunctionType(value.__code__, namespace, name, value.__defaults__)
            copy.__kwdefaults__ = value.__kwdefaults__
            namespace[name] = copy
    return namespace[primal.__name__]

"""Primitives of the library itself; their derivatives are known to the compiler."""

from __future__ import annotations

from typing import TypeVar

from autodiff.rules import nondifferentiable
from autodiff.runtime.constant import no_grad

T = TypeVar("T")


def stop_gradient(x: T) -> T:
    """The value `x`, through which no derivative flows.

    >>> stop_gradient(2.0)
    2.0
    """
    return x


nondifferentiable(stop_gradient, no_grad)

__all__ = ["no_grad", "stop_gradient"]

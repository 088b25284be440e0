"""Primitives of the library itself; their derivatives are known to the compiler."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any, TypeVar

from autodiff.rules import nondifferentiable

T = TypeVar("T")


def stop_gradient(x: T) -> T:
    """The value `x`, through which no derivative flows.

    >>> stop_gradient(2.0)
    2.0
    """
    return x


class _Everything:
    """What `no_grad` is called without."""


def no_grad(x: Any = _Everything) -> Any:
    """A block in which no derivative flows: what it computes is constant.

        with no_grad():
            scale = np.max(np.abs(x))
            history[k] = scale
        y = x / scale

    Inside, all values are constants. The names that the block assigns hold constants after it,
    also where it leaves them as they were; so do the elements that it stores into. For a single
    value there is `stop_gradient`, which `no_grad(x)` is, too.
    """
    return nullcontext() if x is _Everything else x


nondifferentiable(stop_gradient, no_grad)

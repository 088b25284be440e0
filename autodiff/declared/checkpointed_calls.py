"""Calls whose intermediate values are computed again in the reverse sweep: `checkpoint(f)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from autodiff.rules import registry
from autodiff.rules.custom import function_like, parameters_of
from autodiff.rules.extended import extend

F = TypeVar("F", bound=Callable[..., Any])


def checkpoint(f: F) -> F:
    """The function `f`, of whose calls a reverse sweep keeps arguments and result only.

    What is computed in between is computed again when it is needed: memory for the time of one
    more call. In forward mode and without differentiation it is `f`. Also a decorator.

    `f` must give the same when it is called again: where the result comes out otherwise (random
    numbers, a counter), an AutodiffError is raised. One that may change its arguments is refused.

    >>> import math
    >>> from autodiff import grad
    >>> @checkpoint
    ... def layer(x):
    ...     return math.sin(x) * math.exp(x)
    >>> grad(lambda x: layer(layer(x)))(0.0)
    1.0
    """
    function = function_like(f, parameters_of(f))
    extend()
    registry.add_repeated(function, f)
    return function  # type: ignore[return-value]

"""Marks the functions of a module that call into its package, and the points they are judged at."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Function = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Call:
    """A function of one number or array with a real number as its value, and where to judge it."""

    function: Function
    points: tuple[Any, ...]


def call(*points: Any) -> Callable[[Function], Function]:
    """Mark a function of a module of `packages/`: it is judged at these points, two or more.

    >>> @call(1.0, 2.5)
    ... def reynolds(v):
    ...     return fluids.Reynolds(v, 0.1, nu=1e-5)
    """

    def mark(function: Function) -> Function:
        marked = sys.modules[function.__module__].__dict__.setdefault("CALLS", [])
        marked.append(Call(function, points))
        return function

    return mark

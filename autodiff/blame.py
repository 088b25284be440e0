"""Which statement of a function a wrong derivative comes from.

Each operation that the function carries out is checked by itself, for the values that it is given
there, until one is found whose derivative disagrees with differences.
"""

from __future__ import annotations

import contextlib
import copy
from collections import Counter
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from autodiff.analysis.arguments import kinds_of
from autodiff.analysis.kind import differentiable
from autodiff.compiler import probing
from autodiff.derivative import Derivative
from autodiff.errors import AutodiffError, shown
from autodiff.frontend.source import Namespace
from autodiff.loader import load
from autodiff.pipeline.probed import Operation
from autodiff.target import target_of

_TIMES = 3
"""How often one operation is looked at: what a loop does differs little."""


class _Found(Exception):
    """The operation whose derivative is wrong."""

    def __init__(self, operation: Operation) -> None:
        self.operation = operation


def blamed(
    f: Callable[..., Any], args: tuple[Any, ...], check: Callable[..., None], order: int
) -> str:
    """Lines that name the first statement of `f` whose own derivative is wrong.

    `check(f, args, order)` raises AssertionError where a derivative is wrong. Empty where
    nothing can be said: some functions are refused as a whole.
    """
    while isinstance(f, Derivative):
        f, order = f.primal, order + 1
    times: Counter[int] = Counter()

    def look(operation: Operation, values: tuple[Any, ...]) -> None:
        times[id(operation)] += 1
        if times[id(operation)] > _TIMES:
            return
        given = copy.deepcopy(values)
        try:
            check(operation.function, given, 1)
            if order > 1:
                check(_total(operation.function), given, 2)
        except AssertionError:
            raise _Found(operation) from None
        except Exception:  # it cannot be checked by itself
            return

    target = target_of(f)
    bound = copy.deepcopy(target.bind(args, {}))
    kinds = kinds_of(bound.values)
    wrt = tuple(own for own, kind in zip(target.names, kinds) if differentiable(kind))
    try:
        with contextlib.suppress(AutodiffError):
            probing(target.function, wrt, kinds, look)(*bound.positional, **bound.keywords)
    except _Found as found:
        place = found.operation.origin
        if place is None:
            return ""
        return "\n".join(["the first statement whose own derivative disagrees:", *shown(place)])
    except Exception:  # of the function itself, which the user sees without us
        return ""
    return "each of its statements agrees with differences by itself" if times else ""


def _total(operation: FunctionType) -> FunctionType:
    """A number that depends on what an operation returns, each part with a weight of its own."""
    code = operation.__code__
    names = ", ".join(code.co_varnames[: code.co_argcount])
    text = f"def total({names}):\n    return np.sum(np.sin(operation({names})))\n"
    return load(text, "total", Namespace({}), {"np": np, "operation": operation}, {})

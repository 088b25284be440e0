"""Which statement of a function a wrong derivative comes from.

Each operation that the function carries out is checked by itself, for the values that it is given
there, until one is found whose derivative disagrees with differences. A call that the compiler
does not inline (of a function that calls itself, or is computed again in the reverse sweep) is
looked into before it is checked as a whole.
"""

from __future__ import annotations

import contextlib
import copy
from collections import Counter
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

import numpy as np

from autodiff.checking.probed import Probe, probed
from autodiff.core import NotYet, SizesTold, Unseen
from autodiff.derivatives.derivative import Derivative
from autodiff.derivatives.target import target_of
from autodiff.errors import AutodiffError, shown
from autodiff.frontend.source import Namespace
from autodiff.identity import no_grad, stop_gradient
from autodiff.kinds.arguments import kinds_of
from autodiff.kinds.kind import Kind, differentiable
from autodiff.loader import at_the_users, load
from autodiff.rules import registry
from autodiff.rules.home import is_library, module_of
from autodiff.transforms.hessian import HessianProduct

_TIMES = (3, 1000)
"""How often one operation is looked at: what a loop does differs little, so few times first."""

Check = Callable[[Callable[..., Any], tuple[Any, ...], int], None]


class _Found(Exception):
    """The operation whose derivative is wrong."""

    def __init__(self, operation: Probe) -> None:
        self.operation = operation


def blamed(f: Callable[..., Any], args: tuple[Any, ...], check: Check, order: int) -> str:
    """Lines that name the first statement of `f` whose own derivative is wrong.

    `check(f, args, order)` raises AssertionError where a derivative is wrong. Empty where
    nothing can be said: some functions are refused as a whole.
    """
    while isinstance(f, Derivative):
        args = args[:-1] if isinstance(f, HessianProduct) else args  # without the vector
        f, order = f.primal, order + 1
    search = _Search(check, order)
    try:
        for most in _TIMES:
            search.begin(most)
            search.run(f, args, {})
            if max(search.times.values(), default=0) <= most:
                break
    except _Found as found:
        return _named("the first statement whose own derivative disagrees:", found.operation)
    except Exception:  # of the function itself, which the user sees without us
        return ""
    if search.constant is not None:
        return _named("its statements agree, but for what is said to be constant:", search.constant)
    return "each of its statements agrees with differences by itself" if search.times else ""


def _named(title: str, operation: Probe) -> str:
    place = at_the_users(operation.origin)
    return "" if place is None else "\n".join([title, *shown(place)])


class _Search:
    def __init__(self, check: Check, order: int) -> None:
        self.check = check
        self.order = order
        self.constant: Probe | None = None
        """The first that is meant to have no derivative."""
        self.begin(0)
        self.probing: dict[tuple[FunctionType, tuple[Kind, ...]], FunctionType | None] = {}

    def begin(self, most: int) -> None:
        """Look at each operation so many times."""
        self.most = most
        self.times: Counter[int] = Counter()

    def run(
        self, f: Callable[..., Any], args: tuple[Any, ...], keywords: Mapping[str, Any]
    ) -> None:
        """Run a function, with a look at each of its operations."""
        target = target_of(f)
        bound = copy.deepcopy(target.bind(args, keywords))
        key = target.function, kinds_of(bound.values)
        if key not in self.probing:
            self.probing[key] = None
            wrt = tuple(own for own, kind in zip(target.names, key[1]) if differentiable(kind))
            with contextlib.suppress(AutodiffError, NotYet, SizesTold, Unseen):
                self.probing[key] = probed(target.function, wrt, key[1], self.look)
        function = self.probing[key]
        if function is not None:
            function(*bound.positional, **bound.keywords)

    def look(self, operation: Probe, values: tuple[Any, ...]) -> None:
        """Check one operation for the values that it is given."""
        if operation.call is not None:
            called, *given = operation.call(*values)
            if called is no_grad or called is stop_gradient:
                self.constant = self.constant or operation
                return
            self.inside(called, *given)
        self.times[id(operation)] += 1
        if self.times[id(operation)] > self.most:
            return
        own = copy.deepcopy(values)
        try:
            self.check(operation.function, own, 1)
            if self.order > 1:
                self.check(_total(operation.function), own, 2)
        except AssertionError:
            raise _Found(operation) from None
        except Exception:  # it cannot be checked by itself
            return

    def inside(self, f: Any, args: tuple[Any, ...], keywords: Mapping[str, Any]) -> None:
        """Look into a call of a function of the user's own that is differentiated as it stands."""
        f = registry.original(f)
        if not callable(f) or registry.rule_for(f) or is_library(module_of(f)):
            return
        try:
            self.run(f, args, keywords)
        except _Found:
            raise
        except Exception:  # it cannot be run by itself
            return


def _total(operation: FunctionType) -> FunctionType:
    """A number that depends on what an operation returns, each part with a weight of its own."""
    code = operation.__code__
    names = ", ".join(code.co_varnames[: code.co_argcount])
    text = f"def total({names}):\n    return np.sum(np.sin(operation({names})))\n"
    return load(text, "total", Namespace({}), {"np": np, "operation": operation}, {})

"""Calls whose intermediate values are computed again in the reverse sweep: `checkpoint(f)`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

import gast
import numpy as np

from autodiff.analysis.kind import Array, Kind, Record, Scalar, differentiable
from autodiff.analysis.purity import may_change_arguments
from autodiff.compiled import Offer
from autodiff.derivative import Derivative
from autodiff.errors import AutodiffError, UnsupportedSyntaxError
from autodiff.frontend.source import Namespace
from autodiff.loader import load
from autodiff.recursion import alike
from autodiff.rules import registry
from autodiff.rules.custom import function_like, parameters_of
from autodiff.rules.given import given_rule, several
from autodiff.rules.template import Classes, Rule
from autodiff.structure import leaves
from autodiff.syntax.names import name
from autodiff.syntax.quote import quote
from autodiff.tangents import Tangent


def checkpoint(f: Callable[..., Any]) -> Any:
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
    parameters = parameters_of(f)
    function = function_like(f, parameters)
    again = Recomputed(f, tuple(p.name for p in parameters))
    function.adjoints = again  # type: ignore[attr-defined]
    function.tangent = again.tangent  # type: ignore[attr-defined]
    registry.add_rule(function, rule_of(f, function, parameters))
    registry.add_repeated(function, f)
    return function


class Recomputed:
    """The adjoints of the arguments of a call, which is made once more for them."""

    def __init__(self, f: Callable[..., Any], own: tuple[str, ...]) -> None:
        self.f = f
        self.own = own
        self._found: dict[tuple[str, ...], Derivative] = {}

    def __call__(self, y_bar: Any, y: Any, *args: Any, wrt: tuple[str, ...]) -> Any:
        if wrt not in self._found:
            self._found[wrt] = Derivative(self.f, "vjp", wrt)
        value, pullback = self._found[wrt](*args)
        if not _same(value, y):
            raise AutodiffError(
                f"{getattr(self.f, '__name__', 'a function')} gave another result when it was "
                "called again",
                why="a checkpointed call is repeated in the reverse sweep; does it draw random "
                "numbers, or keep something between calls?",
                cure="pass what is random as an argument, or do without checkpoint",
            )
        bars = pullback(y_bar)
        return bars if len(wrt) > 1 else bars[0]

    def tangent(self, *args: Any, **dots: Any) -> Any:
        """The tangent of the result along tangents of arguments."""
        return Tangent(self.f, "jvp", tuple(dots)).along(args, {}, tuple(dots.values()))[1]

    def __inlined__(self, kinds: list[Kind], keywords: dict[str, Any]) -> Offer:
        """For second derivatives: the gradient of `sum(y_bar * f(*args))`."""
        paths = list(_paths(kinds[1]))
        if None in paths or not paths:
            raise UnsupportedSyntaxError(
                "the second derivative of a checkpointed function whose result is of unknown form",
                why="its adjoint is paired with it by a sum over its numbers and arrays",
                cure="return numbers and arrays, in tuples, dicts or objects, or do without "
                "checkpoint",
            )
        bar, value = "y_bar", "y"
        while bar in self.own:
            bar += "_"
        while value in self.own:
            value += "_"
        given, own = ", ".join((bar, value, *self.own)), ", ".join(self.own)
        total = " + ".join(f"np.sum({bar}{path} * {value}{path})" for path in paths)
        text = (
            f"def paired({given}):\n    {value} = the_function({own})\n    return {total}\n"
        )
        paired = load(text, "paired", Namespace({}), {"np": np, "the_function": self.f}, {})
        wrt = keywords["wrt"]
        derivative = Derivative(paired, "grad", wrt if len(wrt) > 1 else wrt[0])
        _, known, *rest = alike(kinds)
        compiled = derivative.composed((known, known, *rest))
        return compiled.function, compiled.guards


def _paths(kind: Kind) -> Iterator[str | None]:
    """How the numbers and arrays of a result are reached; None where that is not known."""
    if isinstance(kind, Record):
        indexed = issubclass(kind.cls, (tuple, list, dict))
        for key, item in zip(kind.keys, kind.items):
            for path in _paths(item):
                step = f"[{key!r}]" if indexed else f".{key}"
                yield None if path is None else step + path
    elif not isinstance(kind, (Array, Scalar)):
        yield None
    elif differentiable(kind):
        yield ""


def _same(value: Any, y: Any) -> bool:
    """Whether two results are one up to rounding."""
    ours, theirs = list(leaves(value)), list(leaves(y))
    if len(ours) != len(theirs):
        return False
    for a, b in zip(ours, theirs):
        if np.shape(a) != np.shape(b):
            return False
        finite = np.asarray(a)[np.isfinite(a)] if np.ndim(a) else np.asarray(a)
        rounding = np.sqrt(np.finfo(np.asarray(a).dtype).eps) * np.max(np.abs(finite), initial=0.0)
        if not np.allclose(a, b, rtol=0.0, atol=rounding, equal_nan=True):
            return False
    return True


def rule_of(
    f: Callable[..., Any], function: FunctionType, parameters: tuple[inspect.Parameter, ...]
) -> Rule:
    """The rule of a checkpointed function; `narrowed` to the arguments that carry a derivative."""
    names = [p.name for p in parameters]
    result = next(n for n in ("y", "z", "w", "the_result") if n not in names)
    title = function.__name__ if function.__name__.isidentifier() else "function"
    while title in (*names, result, "d"):
        title += "_checkpointed"
    values = [name(own) for own in names]

    def narrowed(active: frozenset[str], classes: Classes | None = None) -> Rule:
        given = [(classes or {}).get(own) for own in names]
        if classes is not None and may_change_arguments(f, given):
            raise UnsupportedSyntaxError(
                f"checkpoint({function.__name__}): the function is not known to change nothing",
                why="it is called again, with the arguments of the first call",
                cure="let it work on copies and return what it makes; draw random numbers before "
                "the call",
            )
        wrt = tuple(own for own in names if own in active)
        told = gast.Tuple(elts=[gast.Constant(own, None) for own in wrt], ctx=gast.Load())
        call = gast.Call(
            func=quote("f.adjoints", f=title),
            args=[quote("d[y]", y=result), name(result), *values],
            keywords=[gast.keyword(arg="wrt", value=told)],
        )
        dots = [gast.keyword(arg=n, value=quote("d[x]", x=n)) for n in wrt]
        tangent = gast.Call(func=quote("f.tangent", f=title), args=values, keywords=dots)
        return given_rule(
            function,
            result,
            parameters,
            {title: function},
            several(call, names, wrt),
            tangent if wrt else gast.Constant(0, None),
            narrowed,
        )

    return narrowed(frozenset(names))

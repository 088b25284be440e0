"""What operations that are given functions come to: `rules/taking.py`."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any

from autodiff.declared.flow import Flow
from autodiff.declared.implicit import declare, implicit
from autodiff.declared.integral import Integral
from autodiff.derivatives.derivative import Derivative
from autodiff.frontend.source import Namespace
from autodiff.loader import load
from autodiff.rules.taking import (
    add_taking,
    flow_of,
    integral_of,
    integral_of_arrays,
    root_of,
    slope_of,
)

Function = tuple[Callable[..., Any], int]
"""A function, and how many values it is given before its own arguments."""


def named(count: int, word: str = "held") -> list[str]:
    """The names of what a function holds."""
    return [f"{word}_{k}" for k in range(count)]


def written(text: str, title: str, **helpers: Any) -> FunctionType:
    """A function that is read like the user's."""
    return load(text, title, Namespace({"__name__": __name__}), helpers, {})


def of_one(function: Function) -> FunctionType:
    """The function, of what it holds and one argument, by names."""
    given = ", ".join((*named(function[1]), "at"))
    text = f"def of_one({given}):\n    return function({given})\n"
    return written(text, "of_one", function=function[0])


def solution(residual: Function) -> Callable[..., Any]:
    """What takes a solution for that of an equation."""
    names = named(residual[1])
    if not names:
        return written("def solution(at):\n    return at\n", "solution")
    given = ", ".join((*names, "found"))
    made = written(f"def solution({given}):\n    return found * 1.0\n", "solution")
    return implicit(of_one(residual))(made)


def slope(function: Function) -> Callable[..., Any]:
    """The gradient."""
    given = ", ".join((*named(function[1]), "at"))
    by_argument = Derivative(of_one(function), "grad", "at")
    text = f"def slope({given}):\n    return by_argument({given})\n"
    return written(text, "slope", by_argument=by_argument)


def integral(integrand: Function, quadrature: Function, vector: bool = False) -> Callable[..., Any]:
    """What takes a number for an integral."""
    held, rule = named(integrand[1]), named(quadrature[1], "rule")
    linked = Integral(integrand[0], quadrature[0], (*held,), (*rule,), vector)
    return declared("integral", held, rule, linked)


def flow(rhs: Function, solver: Function) -> Callable[..., Any]:
    """What takes an array for the solution of a differential equation."""
    held, rule = named(rhs[1]), named(solver[1], "rule")
    return declared("flow", held, rule, Flow(rhs[0], solver[0], (*held,), (*rule,)))


def declared(title: str, held: list[str], rule: list[str], linked: Any) -> Callable[..., Any]:
    """What is found, with what links it to the arguments."""
    given = ", ".join((*held, *rule, *linked.own[len(held) :], "found"))
    made = written(f"def {title}({given}):\n    return found * 1.0\n", title)
    declare(made, linked, (*inspect.signature(made).parameters.values(),))
    return made


add_taking(root_of, solution)
add_taking(integral_of, integral)
add_taking(integral_of_arrays, functools.partial(integral, vector=True))
add_taking(flow_of, flow)
add_taking(slope_of, slope)

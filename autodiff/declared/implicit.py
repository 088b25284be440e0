"""Functions defined by an equation: the implicit function theorem.

Where `residual(x, y) = 0` defines `y`, and a solver finds it, its derivative does not go through
the iterations of the solver: with J the derivative of the residual with respect to `y`,

    J.T residual_bar = -y_bar        x_bar = (derivative of the residual by x).T residual_bar
    J y_dot = -residual_dot          residual_dot = derivative of the residual along x_dot
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from types import FunctionType
from typing import Any, TypeVar

import gast

from autodiff.declared.equation import Adjoints, Equation, Jacobian, Pushed
from autodiff.errors import TemplateError
from autodiff.rules import registry
from autodiff.rules.custom import function_like, parameters_of
from autodiff.rules.given import given_rule, several
from autodiff.rules.template import Classes, Rule
from autodiff.runtime import fitted, solve_root, solve_root_transposed
from autodiff.syntax.names import name, store
from autodiff.syntax.quote import quote

F = TypeVar("F", bound=Callable[..., Any])


def implicit(residual: Callable[..., Any]) -> Callable[[F], F]:
    """Decorate a solver of `residual(*args, y) = 0` with the derivative of the `y` that it finds.

    The residual takes parameters of the solver, by the same names, and `y` last; it returns a
    number or an array of the shape of `y`. Parameters of the solver that the residual lacks (a
    first guess, a tolerance) have no influence on `y`, hence zero derivatives. The solver may be
    any callable; its derivative does not go through it. One linear system is solved in each mode,
    with the matrix `solver.jacobian(*args, y)`, the derivative of the residual by `y`. The result
    is as exact as the solution is: the residual must vanish there, and the matrix be regular.

    Fixed points are `y - g(x, y)`, minimisers the gradient of what is minimised.

    >>> import numpy as np
    >>> def kepler(mean, eccentricity, anomaly):
    ...     return anomaly - eccentricity * np.sin(anomaly) - mean
    >>> @implicit(kepler)
    ... def anomaly_of(mean, eccentricity):
    ...     y = mean
    ...     for _ in range(50):
    ...         y = mean + eccentricity * np.sin(y)
    ...     return y
    >>> from autodiff import grad
    >>> y = anomaly_of(1.0, 0.5)
    >>> bool(np.isclose(grad(anomaly_of)(1.0, 0.5), 1 / (1 - 0.5 * np.cos(y))))
    True

    Raises:
        TemplateError: the residual has a parameter that the solver lacks, or takes `*args`.
    """

    def decorate(solver: F) -> F:
        *own, root = parameters_of(residual)
        parameters = parameters_of(solver, (lambda: None, 0)) if _says(solver) else tuple(own)
        names = [p.name for p in parameters]
        for parameter in own:
            if parameter.name not in names:
                raise TemplateError(
                    f"the residual takes `{parameter.name}`, which the solver does not",
                    why=f"the solver takes ({', '.join(names)})",
                    cure="name the parameters of both alike, and the solution last",
                )
        if not own:
            raise TemplateError(
                "the residual has no parameter but the solution",
                cure="write residual(x, y), with the parameters of the solver before the solution",
            )
        function = function_like(solver, parameters)
        equation = Equation(residual, tuple(p.name for p in own), root.name)
        function.jacobian = Jacobian(equation)  # type: ignore[attr-defined]
        function.adjoints = Adjoints(equation)  # type: ignore[attr-defined]
        function.tangent = Pushed(equation)  # type: ignore[attr-defined]
        registry.add_rule(function, rule_of(equation, function, parameters))
        return function  # type: ignore[return-value]

    return decorate


def _says(solver: Callable[..., Any]) -> bool:
    """Whether a solver says what its parameters are."""
    try:
        found = inspect.signature(solver).parameters.values()
    except (TypeError, ValueError):
        return False
    return not any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in found)


def rule_of(
    equation: Equation, function: FunctionType, parameters: tuple[inspect.Parameter, ...]
) -> Rule:
    """The rule of the solver; `narrowed` to the arguments that carry a derivative."""
    names = [p.name for p in parameters]
    result = equation.root if equation.root not in names else "the_solution"
    title = function.__name__ if function.__name__.isidentifier() else "solver"
    while title in (*names, result, "d"):
        title += "_solver"
    helpers = {
        title: function,
        "fitted": fitted,
        "solve_root": solve_root,
        "solve_root_transposed": solve_root_transposed,
    }
    values = [name(own) for own in (*equation.own, result)]
    matrix = gast.Call(func=quote("f.jacobian", f=title), args=values, keywords=[])

    def narrowed(active: frozenset[str], classes: Classes | None = None) -> Rule:
        wrt = tuple(own for own in equation.own if own in active)
        seed = f"{result}_residual_bar"
        solved = quote("s(a, -d[y], y)", s="solve_root_transposed", a=matrix, y=result)
        temporaries: list[gast.stmt] = [gast.Assign(targets=[store(seed)], value=solved)]
        told = gast.Tuple(elts=[gast.Constant(own, None) for own in wrt], ctx=gast.Load())
        keywords = [gast.keyword(arg="wrt", value=told)]
        pulled = quote("f.adjoints", f=title)
        call = gast.Call(func=pulled, args=[name(seed), *values], keywords=keywords)
        unpacked, adjoints = several(call, names, wrt)
        temporaries += unpacked
        along = [*values, *(quote("d[x]", x=n) for n in wrt)]
        pushed = gast.Call(func=quote("f.tangent", f=title), args=along, keywords=keywords)
        tangent = quote("s(a, -t, y)", s="solve_root", a=matrix, t=pushed, y=result)
        if not wrt:
            temporaries, tangent = [], gast.Constant(0, None)
        made = temporaries, adjoints
        own = given_rule(function, result, parameters, helpers, made, tangent, narrowed)
        return replace(own, equation=equation)

    return narrowed(frozenset(names))

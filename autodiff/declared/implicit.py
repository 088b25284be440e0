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
from typing import Any, TypeVar

from autodiff.declared.equation import Adjoints, Equation, Jacobian, Pushed
from autodiff.declared.integral import Integral
from autodiff.errors import TemplateError
from autodiff.rules import registry
from autodiff.rules.custom import function_like, parameters_of
from autodiff.rules.given import given_rule

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
        declare(function, equation, parameters)
        return function  # type: ignore[return-value]

    return decorate


def _says(solver: Callable[..., Any]) -> bool:
    """Whether a solver says what its parameters are."""
    try:
        found = inspect.signature(solver).parameters.values()
    except (TypeError, ValueError):
        return False
    return not any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in found)


def declare(
    function: Any, linked: Equation | Integral, parameters: tuple[inspect.Parameter, ...]
) -> None:
    """Gives a function the derivative of what is linked with its arguments."""
    function.adjoints, function.tangent = Adjoints(linked), Pushed(linked)
    names = [p.name for p in parameters]
    result = linked.root if linked.root not in names else "the_solution"
    rule = given_rule(function, result, parameters, {}, ([], {}), None)
    registry.add_rule(function, replace(rule, equation=linked))

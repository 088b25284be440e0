"""The derivative of an integral: the same quadrature of the derivative, and Leibniz at the limits.

    y = integral(a, low, high)      a_bar = y_bar * quadrature(lambda at: slope(a, at), low, high)
                                    high_bar = y_bar * integrand(a, high)

    y_dot = quadrature(lambda at: integrand_dot(a, at, a_dot), low, high) + integrand(a, high) * ...

The quadrature is a function like others: a second derivative reads what it calls.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from autodiff.declared.equation import Along, Explicit
from autodiff.derivatives.derivative import Derivative


class Integral(Explicit):
    """The derivatives of `quadrature(*rule, lambda at: integrand(*held, at), low, high)`.

    vector: the integrand gives an array, and the quadrature takes such.
    """

    root = "integral"

    def __init__(
        self,
        integrand: Callable[..., Any],
        quadrature: Callable[..., Any],
        held: tuple[str, ...],
        rule: tuple[str, ...],
        vector: bool,
    ) -> None:
        super().__init__(held, rule, ("low", "high"), integrand=integrand, quadrature=quadrature)
        self.vector, given = vector, ", ".join((*held, "at"))
        self.helpers["part_by_part"] = part_by_part
        text = f"def of_one({given}):\n    return integrand({given})\n"
        one = self.helpers["of_one"] = self.written(text, "of_one")
        text = f"def paired(seed, {given}):\n    return np.sum(seed * integrand({given}))\n"
        paired = self.written(text, "paired") if vector else one
        for own in held:
            self.helpers[f"by_{own}"] = Derivative(paired, "grad", own)

    def pulled(self, wrt: tuple[str, ...]) -> FunctionType:
        """The function of the seed, the arguments, what the quadrature holds, and the integral."""
        found = self.made.get(("pulled", wrt))
        if found is None:
            bars = ", ".join(map(self.adjoint, wrt))
            text = (
                f"def pulled(seed, {self.given()}):\n"
                "    def integrated(slope):\n"
                f"        return quadrature({self.ruled()}slope, low, high)\n"
                f"    return {bars if len(wrt) == 1 else f'({bars})'}\n"
            )
            found = self.made["pulled", wrt] = self.written(text, "pulled")
        return found

    def tangent(self, wrt: tuple[str, ...]) -> FunctionType:
        """The function of the arguments, what the quadrature holds, the integral, and tangents of
        the arguments in `wrt`.
        """
        found = self.made.get(("pushed", wrt))
        if found is None:
            active = tuple(own for own in self.held if own in wrt)
            own = f"along_{'_'.join(active)}"
            if active:
                names = (*self.held, "at")
                self.helpers[own] = Along(self.helpers["of_one"], names, active)
            held = ", ".join((*self.held, "at", *(f"{each}_dot" for each in active)))
            slope = f"lambda at: {own}({held})[1]"
            terms = [self.at(end, f"{sign}{end}_dot * ") for sign, end in ENDS if end in wrt]
            if active:
                terms.insert(0, f"quadrature({self.ruled()}{slope}, low, high)")
            dots = ", ".join(f"{own}_dot" for own in wrt)
            text = f"def pushed({self.given()}, {dots}):\n    return {' + '.join(terms)}\n"
            found = self.made["pushed", wrt] = self.written(text, "pushed")
        return found

    def given(self) -> str:
        """The parameters of what is written."""
        return ", ".join((*self.own, *self.others, self.root))

    def ruled(self) -> str:
        """What the quadrature is given first."""
        return "".join(f"{own}, " for own in self.others)

    def at(self, end: str, factor: str) -> str:
        """What the integrand at a limit, times a factor, adds; infinite limits do not move."""
        term = f"{factor}integrand({', '.join((*self.held, end))})"
        return f"({term} if np.isfinite({end}) else 0.0)"

    def adjoint(self, own: str) -> str:
        """The adjoint of one argument."""
        if own in self.held:
            given = ", ".join((*self.held, "at"))
            if self.vector:
                return f"integrated(lambda at: by_{own}(seed, {given}))"
            return f"seed * part_by_part(integrated, lambda at: by_{own}({given}), {own})"
        sign = {end: sign for sign, end in ENDS}[own]
        return f"{sign}np.sum({self.at(own, 'seed * ')})"


ENDS = (("-", "low"), ("", "high"))


def part_by_part(integrated: Callable[[Any], Any], slope: Callable[[Any], Any], like: Any) -> Any:
    """The integral of what has the form of `like`, by a quadrature that takes numbers."""
    if np.ndim(like) == 0:
        return integrated(slope)
    parts = []
    for k in range(np.size(like)):
        parts.append(integrated(one_of(slope, k)))
    return np.reshape(np.array(parts), np.shape(like))


def one_of(slope: Callable[[Any], Any], k: int) -> Callable[[Any], Any]:
    """A part of what a function gives."""
    return lambda at: np.ravel(slope(at))[k]

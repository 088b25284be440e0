"""The derivative of what solves an equation: one linear system, with the matrix of the equation;
of an integral, which is explicit: none.

y = anomaly_of(mean)        residual_bar = -y_bar / anomaly_of.jacobian(mean, y)
                            mean_bar = anomaly_of.adjoints(residual_bar, mean, y, wrt=...)

y_dot = -anomaly_of.tangent(mean, y, mean_dot, wrt=...) / anomaly_of.jacobian(mean, y)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import gast
import numpy as np

from autodiff.core import Apply, Value
from autodiff.kinds.kind import Array, Kind, Numeric, Record, Scalar, forget_values
from autodiff.primitives import Application, hole, primitive_of
from autodiff.primitives.primitive import argument, written
from autodiff.reversal.custom_rules import Bars, Calls
from autodiff.runtime import solve_root, solve_root_transposed
from autodiff.syntax.names import name


def adjoints(calls: Calls, y: Value, g: Value, active: set[Value]) -> Bars:
    """The active operands, and what is added to the adjoint of each."""
    system = System(calls, y)
    wrt = {own: value for own, value in system.given.items() if value in active}
    if not wrt:
        return []
    seed = g
    if not calls.rule.equation.explicit:
        minus = calls.builder.unary(gast.USub(), g)
        seed = system.solution(minus, transposed=True)
        seed.hint = f"{calls.rule.result}_residual_bar"
    kinds = tuple(forget_values(value.kind) for value in wrt.values())
    several = len(wrt) > 1
    kind = Record(tuple, tuple(range(len(kinds))), kinds) if several else kinds[0]
    found = system.call("adjoints", [seed, *system.values], wrt, kind)
    bars = calls.parts(found, [*wrt]) if several else [found]
    return [(value, calls.own(bar, value.kind)) for value, bar in zip(wrt.values(), bars)]


def tangent(calls: Calls, y: Value, dots: dict[Value, Value]) -> Value | None:
    """The tangent of the solution; None for zero. dots: those of the operands."""
    system = System(calls, y)
    wrt = {own: value for own, value in system.given.items() if value in dots}
    if not wrt:
        return None
    along = [dots[value] for value in wrt.values()]
    pushed = system.call("tangent", [*system.values, *along], wrt, forget_values(y.kind))
    if calls.rule.equation.explicit:
        return pushed
    return system.solution(calls.builder.unary(gast.USub(), pushed), transposed=False)


class System:
    """The equation of a call: what solves it, and the matrix."""

    def __init__(self, calls: Calls, y: Value) -> None:
        self.calls, self.y = calls, y
        given, equation = calls.arguments(), calls.rule.equation
        self.given = {parameter: given[parameter] for parameter in equation.own}
        self.values = [*self.given.values(), *(given[other] for other in equation.others), y]

    def call(
        self, attribute: str, operands: Sequence[Value], wrt: Iterable[str], kind: Kind
    ) -> Value:
        """A call of an attribute of the solver. wrt: the arguments that it is about."""
        calls, solver = self.calls, self.calls.op.primitive.function
        operands_ = list[Value]()
        holes = [argument(value, operands_) for value in operands]
        own = solver.__name__ if solver.__name__.isidentifier() else "solver"
        path = gast.Attribute(
            name(calls.builder.references.use(own, solver)), attribute, gast.Load()
        )
        told = [gast.keyword("wrt", written(tuple(wrt)))] if wrt else []
        form = gast.Call(path, holes, told)
        made = calls.applied(getattr(solver, attribute), form, operands_, kind)
        made.hint = attribute
        if not isinstance(kind, Record) and isinstance(made.op, Apply):
            made.op.beside = (made.op,)  # a statement of its own
        return made

    def solution(self, g: Value, transposed: bool) -> Value:
        """The solution of the linear system."""
        kind, builder = forget_values(self.y.kind), self.calls.builder
        shape = kind.shape if isinstance(kind, Array) else ()
        if isinstance(kind, Scalar):
            return builder.binary(gast.Div(), g, self.call("jacobian", self.values, (), kind))
        if not isinstance(kind, Array):
            matrix = self.call("jacobian", self.values, (), Numeric())
        else:
            matrix = self.call("jacobian", self.values, (), Array(kind.dtype, shape * 2))
        if len(shape) == 1:
            if transposed:
                turning, own = primitive_of(np.transpose), Application((hole(0),))
                form = gast.Attribute(hole(0), "T", gast.Load())
                matrix = builder.apply(turning, own, form, [matrix], hint="transposed")
            return builder.call("np.linalg.solve", np.linalg.solve, matrix, g, kind=kind)
        solve = solve_root_transposed if transposed else solve_root
        return builder.call(solve.__name__, solve, matrix, g, self.y, kind=kind)

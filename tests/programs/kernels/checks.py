"""What is asked of a kernel, and the numbers it is compared with."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from autodiff import value_and_grad, vjp
from tests.language import oracle
from tests.language.corpus import Program, collect
from tests.programs.kernels import complex_step

KERNELS = collect("tests.programs.kernels.programs")
EXACT = 1e-9
"""Tolerance where the oracle is exact (complex step)."""


def names(entry: Program) -> tuple[str, ...]:
    """The parameters to differentiate: all that hold floats."""
    return entry.wrt_at(entry.points[0])


def fresh(entry: Program) -> dict[str, Any]:
    """The arguments by name, for one call: a kernel may change them."""
    return oracle.copied(entry.arguments(entry.points[0]))


@functools.cache
def primal(entry: Program) -> Any:
    return entry.function(**fresh(entry))


def seed(entry: Program) -> Any:
    return oracle.seed_for(primal(entry))


@functools.cache
def by_complex_step(entry: Program) -> list[list[Any]]:
    return complex_step.gradients(entry.function, (), fresh(entry), names(entry), seed(entry))


def by_differences(entry: Program) -> list[list[Any]]:
    return oracle.gradients(entry.function, (), fresh(entry), names(entry), seed=seed(entry))


def expected(entry: Program) -> list[list[Any]]:
    """The gradient of each parameter, as one array per leaf."""
    return by_complex_step(entry) if entry.analytic else by_differences(entry)


def scaled(gradients: list[list[Any]]) -> float:
    """The size of a gradient: errors are judged relative to it."""
    return max([1.0, *(float(np.max(np.abs(part))) for parts in gradients for part in parts)])


def derivative(entry: Program, arguments: dict[str, Any]) -> tuple[Any, tuple[Any, ...]]:
    """Value and adjoints by the compiler."""
    value = primal(entry)
    wrt = names(entry)
    if oracle.is_leaf(value) and np.ndim(value) == 0 and not np.iscomplexobj(value):
        return value_and_grad(entry.function, wrt=wrt)(**arguments)
    rest = {name: arguments[name] for name in arguments if name not in wrt}
    function = functools.partial(entry.function, **rest) if rest else entry.function
    result, pullback = vjp(function, *(arguments[name] for name in wrt))
    return result, pullback(seed(entry))


def check_gradient(entry: Program) -> None:
    """Fail unless value, gradient and arguments after the call are what they must be."""
    arguments = fresh(entry)
    value, gradients = derivative(entry, arguments)
    oracle.assert_same(arguments, fresh(entry), "arguments")
    oracle.assert_same(value, primal(entry))
    wanted = expected(entry)
    tolerance = EXACT * scaled(wanted) if entry.analytic else entry.tolerance
    for name, gradient, numbers in zip(names(entry), gradients, wanted, strict=True):
        oracle.compare(gradient, arguments[name], numbers, tolerance, name)

"""Solvers that a followed run calls: what their functions hold is put beside them as it is then."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import integrate, optimize

from autodiff import grad, jvp, value_and_grad
from autodiff.errors import UnsupportedSyntaxError
from tests.core import test_functions_given as given
from tests.rules import test_constraints as constraints
from tests.rules import test_quadratures as quadratures
from tests.rules import test_solvers as solvers
from tests.rules.solved import differences
from tests.tracing.alone import followed_alone

SCALE = 1.0


class Table(dict):  # type: ignore[type-arg]
    """Its items are found past what the compiler sees."""


def by_a_function_of_a_global(x: Any, b: Any) -> Any:
    return x**3 - b * SCALE


def in_a_loop(a: Any) -> Any:
    """Each call is with what there is then."""
    global SCALE
    total, numbers, table = 0.0, np.ones(2), {"a": a}
    for k in range(3):
        numbers[0], table["a"], SCALE = k + 1.0, a * (k + 1), k + 1.0
        total += optimize.brentq(lambda x, b: x**3 - b * numbers[0], 0, 9, args=(a,))
        total += optimize.brentq(lambda x: x**3 - table["a"] * (k + 1), 0, 9)
        total += optimize.brentq(lambda x, b: by_a_function_of_a_global(x, b), 0, 9, args=(a,))
    return total


def noted(a: Any) -> Any:
    """A function that changes something and is not differentiated is called as it is."""
    seen: list[float] = []

    def note(x: Any) -> None:
        seen.append(float(x[0]))

    found = optimize.minimize(lambda x: np.sum((x - a) ** 2 + x**4), np.ones(2), callback=note)
    assert len(seen) == found.nit
    return found.x[0]


def of_several_kinds(a: Any) -> Any:
    root = optimize.brentq(lambda x: x**3 - a, 0, 5)
    least = optimize.minimize_scalar(lambda x: (x - root) ** 2 * np.cosh(x)).x
    return integrate.quad(lambda t: np.exp(-a * t), 0, least)[0]


PROGRAMS = [
    *(in_a_loop, noted, of_several_kinds),
    *(solvers.in_turn, solvers.by_newton, solvers.system, solvers.warm, solvers.several),
    *(constraints.with_bounds, constraints.of_an_object),
    *(solvers.fit, solvers.fit_at_a_bound, quadratures.bell, quadratures.of_an_array),
    *(
        quadratures.decay,
        quadratures.explicitly,
        given.by_default,
        given.nested,
        given.partly,
        given.containers,
    ),
    *(given.methods, given.by_an_object_among_the_arguments, given.by_a_global, given.noting),
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_followed(program: Any) -> None:
    with followed_alone():
        value, slope = value_and_grad(program)(2.0)
        assert value == program(2.0)
        if program is not given.noting:  # it counts
            expected = differences(program, 2.0, 4e-3)
            np.testing.assert_allclose(slope, expected, rtol=2e-5, atol=2e-5)
        np.testing.assert_allclose(jvp(program, (2.0,), (1.0,))[1], slope, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("program", [solvers.between, solvers.smallest, quadratures.by_args])
def test_second_order(program: Any) -> None:
    with followed_alone():
        twice = grad(grad(program))(2.0)
    np.testing.assert_allclose(twice, grad(grad(program))(2.0), rtol=1e-7)


def of_a_dict_of_the_users(a: Any) -> Any:
    table = Table()
    table["a"] = a
    return optimize.brentq(lambda x: x**3 - table["a"], 0, 5)


def calls_itself(a: Any) -> Any:
    def power(x: Any, n: int) -> Any:
        return a if n == 0 else x * power(x, n - 1)

    return optimize.brentq(lambda x: power(x, 3) - 5.0, 0, 5)


@pytest.mark.parametrize(
    "program", [given.counting, given.writing, of_a_dict_of_the_users, calls_itself]
)
def test_what_is_not_put_beside_a_function_is_refused(program: Any) -> None:
    with followed_alone(), pytest.raises(UnsupportedSyntaxError):
        grad(program)(2.0)

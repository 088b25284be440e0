"""Operations that are given functions: what these read around them is an operand like others."""

from __future__ import annotations

import dataclasses
import functools
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import optimize

from autodiff import custom, grad
from autodiff.errors import AutodiffError, UnsupportedSyntaxError
from tests.rules.solved import check

FACTOR = 1.5
STEERED = 1.0
OUTSIDE = SimpleNamespace(k=2.0, weights=np.array([1.0, 2.0]))


def by_default(a):
    return optimize.brentq(lambda x, b=a: x**3 - b, 0, 5)


def nested(a):
    def inner(x):
        return a * x

    def outer(x):
        return inner(x) ** 3 - FACTOR

    return optimize.brentq(outer, 0, 5)


def two(b, x, scale=1.0):
    return scale * x**3 - b


def partly(a):
    one = optimize.brentq(functools.partial(two, a), 0, 5)
    return one * optimize.brentq(functools.partial(two, 3.0, scale=a), 0, 5)


def containers(a):
    numbers, table = [a, 2.0], {"a": a, "b": (a, 1.0)}
    return optimize.brentq(lambda x: x**3 - numbers[0] * table["a"] * table["b"][0], 0, 9)


class Model:
    def __init__(self, a):
        self.a, self.b = a, np.ones(2) * a

    def residual(self, x):
        return x**3 - self.b * x - self.a

    def __call__(self, x):
        return self.residual(x)


def methods(a):
    model = Model(a)
    guess = np.array([3.0, 4.0])
    return np.sum(optimize.fsolve(model.residual, guess) * optimize.fsolve(model, guess))


@dataclasses.dataclass(frozen=True)
class Rates:
    slow: float
    fast: float = 2.0


def by_an_object_among_the_arguments(a):
    return optimize.brentq(lambda x, r: x**3 * r.fast - r.slow, 0, 5, args=(Rates(a),))


def objects_of_outside(a):
    return np.sum(optimize.fsolve(lambda x: OUTSIDE.weights * x**3 * OUTSIDE.k - a, np.ones(2)))


def within_each_other(a):
    def inner(x):
        return optimize.brentq(lambda t: t**3 + t - a * x, 0, 9)

    options = {"xatol": 1e-11}
    f = lambda x: (inner(x) - 1.0) ** 2  # noqa: E731
    return optimize.minimize_scalar(f, bounds=(0.1, 3), options=options).x


@custom(vjp=lambda y_bar, y, x: y_bar * 3 * x * x)
def cube(x):
    return float(str(x)) ** 3


def with_a_rule(a):
    return optimize.brentq(lambda x: cube(x) - a, 0, 5)


def opaque(a):
    return a * optimize.brentq(lambda x: float(str(x)) ** 3 - 2.0, 0, 5)


def opaque_beside(a):
    seen: list[str] = []

    def found(a):
        def f(x):
            return np.sum((x - a) ** 2 + x**4)

        return optimize.minimize(f, np.ones(2), callback=lambda x: print(end=""), tol=1e-12).x[0]

    return found(a) + len(seen)


def in_branches_and_loops(a):
    total = 0.0
    for k in range(3):
        if k != 1:
            total = total + optimize.brentq(lambda x: x**3 - a * (k + 1) - total, 0, 9)
    try:
        optimize.brentq(lambda x: x**2 + a, 0, 5)
    except ValueError:
        total = total * a
    return total


PROGRAMS = [
    *(by_default, nested, partly, containers, methods, by_an_object_among_the_arguments),
    *(objects_of_outside, within_each_other, with_a_rule, opaque, opaque_beside),
    in_branches_and_loops,
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_functions_hold(program):
    check(program, exact=2e-5)


def test_objects_of_outside_are_read_when_it_runs():
    g = grad(objects_of_outside, trace=False)
    before = g(2.0)
    OUTSIDE.k = 4.0
    try:
        np.testing.assert_allclose(g(2.0) * np.cbrt(2.0), before)
    finally:
        OUTSIDE.k = 2.0


def counting(a):
    count = 0

    def f(x):
        nonlocal count
        count += 1
        return x**3 - a

    return optimize.brentq(f, 0, 5) * count


def noting(a):
    seen: list[float] = []
    f = lambda x: (x - a) ** 2 + x**4  # noqa: E731
    found = optimize.minimize(f, 1.0, callback=lambda x: seen.append(x[0]))
    return found.x[0] + len(seen)


def writing(a):
    room = np.zeros(2)

    def f(x):
        room[0] = x * a
        return room[0] ** 2 - 3.0

    return optimize.brentq(f, 0, 5) + room[0]


@pytest.mark.parametrize("program", [counting, noting, writing])
def test_functions_that_change_what_they_hold_are_refused(program):
    with pytest.raises(UnsupportedSyntaxError):
        grad(program, trace=False)(2.0)


def by_a_global(a):
    global STEERED
    STEERED = a
    return optimize.brentq(lambda x: x**3 - STEERED, 0, 5)


def by_an_attribute_of_outside(a):
    OUTSIDE.k = a
    return optimize.brentq(lambda x: x**3 - OUTSIDE.k, 0, 5)


@pytest.mark.parametrize("program", [by_a_global, by_an_attribute_of_outside])
def test_what_is_stored_outside_is_not_lost(program):
    with pytest.raises(AutodiffError, match="stored outside"):
        grad(program, trace=False)(2.0)


def test_the_text():
    """SciPy is called with the user's function; nothing of its search is there."""
    source = grad(lambda a: optimize.fixed_point(lambda x: np.cos(a * x), 0.5)).source_for(2.0)
    assert "fixed_point(partial(function, a), 0.5, ())" in source
    assert "solution.jacobian(a, result)" in source

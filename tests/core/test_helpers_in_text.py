"""Generated text is a program: the helpers that it calls are read where they have no rule
(lower/functions/helper_calls.py), and what they ask about dtypes changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from scipy import linalg, special

from autodiff import assembly, grad, takeover
from autodiff.runtime import chosen_adjoint, conj, cumprod_adjoint, others

X = np.array([0.7, -1.3, 0.4, 1.1])
STEP = 1e-5
INNER = slice(1, 3)
POLYNOMIAL = np.poly1d([1.0, 2.0, 3.0])


@pytest.fixture(autouse=True)
def core_alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(takeover, "OLD", False)
    monkeypatch.setattr(assembly, "CHECKED", True)
    takeover.REASONS.clear()
    yield
    assert not takeover.REASONS


def slopes(f: Callable[[Any], Any], x: Any) -> Any:
    moved = STEP * np.eye(len(x))
    return np.array([(f(x + e) - f(x - e)) / (2 * STEP) for e in moved])


def without_each(x):
    return np.sum(others(x, axis=0) ** 2)


def of_products(x):
    return np.sum(cumprod_adjoint(np.sin(x), np.cumprod(x), x, 0) * x)


def filled_before(x):
    y = np.zeros(4)
    y[1:] = x[:3] ** 2
    return np.sum(others(y + 1.0, axis=0) * x)


def of_distinct(x):
    y = np.unique(x)
    y_bar = np.exp(y)
    return np.sum(chosen_adjoint(y_bar, y, x) ** 2)


def of_no_derivative(x):
    return np.sum(conj(others(np.arange(4.0), axis=0)) * x**2)


def of_a_system(x):
    a = np.reshape(x, (2, 2)) + 3 * np.eye(2)
    return np.sum(linalg.solve(a, x[:2]) ** 2)


PROGRAMS = [without_each, of_products, filled_before, of_distinct, of_no_derivative, of_a_system]


@pytest.mark.parametrize("program", PROGRAMS)
def test_helpers_that_are_called(program: Callable[[Any], Any]) -> None:
    np.testing.assert_allclose(grad(program)(X), slopes(program, X), rtol=1e-6, atol=1e-8)


def test_dtypes_are_compared_as_numbers_are() -> None:
    """Whether they are the same is open (the order of bytes is not known), and changes nothing."""

    def f(x):
        kept = np.zeros(4)
        if x.dtype == kept.dtype:
            kept[:2] = x[:2]
        return np.sum(kept * x)

    derivative = grad(f)
    np.testing.assert_allclose(derivative(X), slopes(f, X), rtol=1e-6)
    assert "bool(" not in derivative.source


def test_ufuncs_of_a_library_change_nothing() -> None:
    """Also those without a rule, as long as no derivative goes through them."""

    def f(x):
        return np.sum(special.mathieu_a(2, np.arange(4.0)) * x)

    np.testing.assert_allclose(grad(f)(X), special.mathieu_a(2, np.arange(4.0)), rtol=1e-12)
    y = grad(lambda x: np.sum(special.mathieu_cem(2, 1.5, x)))(X)
    np.testing.assert_allclose(
        y, slopes(lambda x: np.sum(special.mathieu_cem(2, 1.5, x)), X), rtol=1e-6
    )


@pytest.mark.skipif(not hasattr(special, "legendre_p"), reason="a newer SciPy")
def test_an_object_with_a_rule_is_called_as_a_whole() -> None:
    """Its class is written in Python, which says less than the rule."""

    def f(x):
        return np.sum(special.legendre_p(3, x / 2))

    np.testing.assert_allclose(grad(f)(X), slopes(f, X), rtol=1e-6)


def test_slices_of_outside_are_their_limits() -> None:
    def f(x):
        return np.sum(x[INNER] ** 2) + np.sum(np.delete(x, INNER) * x[0])

    derivative = grad(f)
    np.testing.assert_allclose(derivative(X), slopes(f, X), rtol=1e-6)
    assert "x[1:3]" in derivative.source


class Doubled:
    def __init__(self, values):
        self.values = values

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.values) * 2


def of_what_says_its_array(x):
    doubled = Doubled(x)
    y = np.sin(doubled)
    doubled.values = x * x
    return np.sum(y * np.exp(doubled))


def of_a_polynomial(x):
    p = np.poly1d(x)
    return np.sum(p(x) ** 2) + np.sum(np.polyval(p, x)) + np.sum(np.polyval(POLYNOMIAL, x))


def of_least_squares(x):
    found = linalg.lstsq(np.reshape(x, (2, 2)) + np.eye(2), x[:2])
    return np.sum(found[0] ** 2) + np.sum(found[3])


@pytest.mark.parametrize("program", [of_what_says_its_array, of_a_polynomial, of_least_squares])
def test_objects_and_containers_that_libraries_take_and_give(program) -> None:
    np.testing.assert_allclose(grad(program)(X), slopes(program, X), rtol=1e-6, atol=1e-8)


def test_whole_numbers_beside_others_have_zeros() -> None:
    def f(pair):
        return np.sum(pair[0] ** 2 * pair[1])

    first, second = grad(f)((X, np.array([1, 2, 3, 4])))
    np.testing.assert_allclose(first, 2 * X * np.array([1, 2, 3, 4]))
    np.testing.assert_array_equal(second, np.zeros(4))

"""While compiling no code of the user's runs: callables are looked up by what they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autodiff import grad, jvp, value_and_grad

RUNS: list[str] = []


class Loud:
    """Tells who asks."""

    def __hash__(self) -> int:
        RUNS.append("hash")
        return 0

    def __eq__(self, other: object) -> bool:
        RUNS.append("eq")
        return self is other

    def __call__(self, x: Any) -> Any:
        return x * 2.0

    def method(self, x: Any) -> Any:
        return x * 3.0


LOUD, OTHER = Loud(), Loud()


def called(x: Any) -> Any:
    return np.sum(LOUD(x) * OTHER(x))


def of_a_method(x: Any) -> Any:
    return np.sum(LOUD.method(x) ** 2)


def given(x: Any, own: Any = LOUD) -> Any:
    return np.sum(own(x))


def mapped(x: Any) -> Any:
    return sum(map(LOUD, [x[0], x[1]]))


@pytest.mark.parametrize("f", [called, of_a_method, given, mapped])
def test_nobody_is_compared(f: Any) -> None:
    x = np.array([1.0, 2.0])
    RUNS.clear()
    value, gradient = value_and_grad(f)(x)
    jvp(f, (x,), (x,))
    assert RUNS == []
    steps = [1e-6 * row for row in np.eye(2)]
    expected = [(f(x + step) - f(x - step)) / 2e-6 for step in steps]
    assert value == f(x)
    np.testing.assert_allclose(gradient, expected, rtol=1e-6)


class Row:
    """Counts how often its length is asked for."""

    asked = 0

    def __len__(self) -> int:
        self.asked += 1
        return 2

    def __iter__(self) -> Any:
        return iter([1.0, 2.0])


ROW = Row()


def a_list(x: Any) -> Any:
    own = list(ROW)
    return x * own[1] * ROW.asked


def a_tuple(x: Any) -> Any:
    own = tuple(ROW)
    return x * own[1] * ROW.asked


def in_order(x: Any) -> Any:
    own = sorted(ROW)
    return x * own[1] * ROW.asked


def longer(x: Any) -> Any:
    own = [x]
    own.extend(ROW)
    return x * own[2] * ROW.asked


@pytest.mark.parametrize("f", [a_list, a_tuple, in_order, longer])
def test_who_makes_a_list_asks_for_the_length(f: Any) -> None:
    ROW.asked = 0
    expected = f(3.0)
    ROW.asked = 0
    assert value_and_grad(f)(3.0) == (expected, expected / 3.0)
    assert ROW.asked == 1


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_what_asks_about_types_is_known(dtype: Any) -> None:
    def f(x: Any) -> Any:
        if np.issubdtype(x.dtype, np.integer) or not np.can_cast(x.dtype, np.float64):
            x = x * 1.0
        return np.sum(x**2 * (2.0 if np.issubdtype(x.dtype, np.float32) else 1.0))

    gradient = grad(f)
    x = np.arange(3, dtype=dtype)
    np.testing.assert_array_equal(gradient(x), x * (2.0 if dtype is np.float64 else 4.0))
    assert "dtype" not in gradient.source

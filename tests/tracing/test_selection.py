"""Functions and objects in tables, of which one is found at run time."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np
import pytest

from autodiff import AutodiffError, grad, value_and_grad
from autodiff.pipeline import assembly
from tests.core.differences import check

X = np.array([0.7, 1.3, 0.4])


def square(v: Any) -> Any:
    return v * v


ACTS = {"sin": np.sin, "square": square, "cubed": lambda v: v**3}
LIST = [np.sin, square, lambda v: np.exp(v) * 0.5]
SEVERAL = (np.cos, square)


class Power:
    def __init__(self, k: float) -> None:
        self.k = k

    def __call__(self, v: Any) -> Any:
        return np.sum(v**self.k)

    def run(self, v: Any, scale: float = 1.0) -> Any:
        return self(v) * scale


class Wave(Power):
    def __call__(self, v: Any) -> Any:
        return np.sum(np.sin(v) * self.k)


POWERS = [Power(2.0), Wave(3.0), Power(3.0)]


def of_a_dict(x: Any, key: str) -> Any:
    name = key if x[0] > 0 else "sin"
    return np.sum(ACTS[name](x))


def of_a_list(x: Any) -> Any:
    return np.sum(LIST[int(np.argmax(x))](x) * x)


def of_a_tuple(x: Any, n: int) -> Any:
    return np.sum(SEVERAL[n](x) + x)


def in_a_loop(x: Any, n: int) -> Any:
    total = 0.0
    for i in range(n):
        total += np.sum(LIST[i % 3](x)) * (i + 1)
    return total


def carried(x: Any, n: int) -> Any:
    y = x * 1.0
    for i in range(n):
        y = LIST[i % 2](y)
    return np.sum(y)


def in_a_variable(x: Any, n: int) -> Any:
    f = LIST[n]
    y = f(x)
    y[0] = 2.0
    return np.sum(f(y) + y)


def two_in_one_statement(x: Any, n: int) -> Any:
    return np.sum(LIST[n](x) * SEVERAL[n - 1](x))


def within_each_other(x: Any, n: int) -> Any:
    return np.sum(LIST[n](SEVERAL[n - 1](x)))


def objects(x: Any, n: int) -> Any:
    return POWERS[n](x) + POWERS[n - 1].run(x, scale=2.0)


def attributes(x: Any, n: int) -> Any:
    return np.sum(x ** POWERS[n].k)


def in_place(x: Any, n: int) -> Any:
    y = x * 2.0
    y[1:] += LIST[n](y[:-1])
    y[0] *= POWERS[n](y)
    return np.sum(y**2)


def of_ones_own(x: Any, n: int) -> Any:
    k = x[0] * 2.0
    own = {0: lambda v: v * k, 1: np.cos, 2: functools.partial(np.multiply, k)}
    return np.sum(own[n](x))


def made_inside(x: Any, n: int) -> Any:
    layers = [Power(2.0), Wave(x[1])]
    return layers[n - 1].run(x) * x[0]


def from_the_end(x: Any, n: int) -> Any:
    return np.sum(LIST[-n](x))


def in_a_test(x: Any, n: int) -> Any:
    if np.sum(LIST[n](x)) > 1.0:
        return np.sum(x**2)
    return np.sum(x)


def by_a_conditional_expression(x: Any, n: int) -> Any:
    return np.sum((np.sin if x[0] > n else square)(x)) + (square if n else np.cos)(x[0])


def beside_what_changes(x: Any, n: int) -> Any:
    state = [0.0]

    def step(v: Any) -> Any:
        state[0] += 1.0
        return v * state[0]

    return np.sum(step(x) * LIST[n](x) * step(x))


def with_an_index_that_is_made(x: Any, n: int) -> Any:
    places = iter([n, 0, 1])
    return np.sum(LIST[next(places)](x) + LIST[next(places)](x))


def interpreter(x: Any, n: int) -> Any:
    stack = [x]
    for word in ("sin", "square", "cubed")[:n]:
        stack.append(ACTS[word](stack.pop()))
    return np.sum(stack[-1])


def one_that_raises(x: Any, n: int) -> Any:
    try:
        y = LIST[n + 2](x)
    except IndexError:
        y = x**2
    return np.sum(y)


CASES: list[tuple[Any, ...]] = [(of_a_dict, "square"), (of_a_dict, "cubed"), (of_a_list,)]
CASES += [(f, n) for f in (of_a_tuple, in_a_loop, carried) for n in (0, 1)]
CASES += [(in_a_loop, 5), (carried, 4), (objects, 1), (objects, 2), (attributes, 1)]
CASES += [(f, n) for f in (in_a_variable, in_place, from_the_end, in_a_test) for n in (1, 2)]
CASES += [(f, n) for f in (two_in_one_statement, within_each_other, made_inside) for n in (1, 2)]
CASES += [(of_ones_own, n) for n in (0, 1, 2)]
CASES += [(by_a_conditional_expression, n) for n in (0, 1)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0].__name__}-{case[1:]}")
def test_one_of_several(monkeypatch: pytest.MonkeyPatch, case: tuple[Any, ...]) -> None:
    check(monkeypatch, case[0], X, *case[1:])


OTHERS = [(f, n) for f in (beside_what_changes, interpreter, one_that_raises) for n in (0, 1, 2)]
OTHERS += [(with_an_index_that_is_made, n) for n in (0, 1, 2)]


@pytest.mark.parametrize("case", OTHERS, ids=lambda case: f"{case[0].__name__}-{case[1:]}")
def test_right_or_refused(case: tuple[Any, ...]) -> None:
    f, n = case
    steps = [1e-6 * row for row in np.eye(3)]
    expected = [(f(X + step, n) - f(X - step, n)) / 2e-6 for step in steps]
    try:
        value, found = value_and_grad(f)(X, n)
    except AutodiffError:
        return
    np.testing.assert_allclose(value, f(X, n))
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-8)


@pytest.mark.parametrize(
    ("f", "key", "error"), [(of_a_tuple, 5, IndexError), (in_a_test, -9, IndexError)]
)
def test_what_is_not_there(f: Any, key: Any, error: type[Exception], monkeypatch: Any) -> None:
    monkeypatch.setattr(assembly, "CHECKED", True)
    with pytest.raises(error):
        grad(f)(X, key)


def test_a_key_that_is_not_there() -> None:
    with pytest.raises(KeyError, match="tan"):
        grad(of_a_dict)(X, "tan")


def test_a_table_that_changes_between_calls() -> None:
    own: list[Any] = [np.sin, square]

    def f(x: Any, n: int) -> Any:
        return np.sum(own[n](x))

    derivative = grad(f)
    np.testing.assert_allclose(derivative(X, 1), 2 * X)
    own[1] = np.cos
    np.testing.assert_allclose(derivative(X, 1), -np.sin(X))
    own.append(np.exp)
    np.testing.assert_allclose(derivative(X, 2), np.exp(X))


def test_a_function_with_defaults_that_are_computed() -> None:
    def f(x: Any, n: int) -> Any:
        own = []
        for i in range(n):
            own.append(lambda v, i=i: v * i)
        total = 0.0
        for g in own:
            total += np.sum(g(x))
        return total

    np.testing.assert_allclose(grad(f)(X, 3), [3.0, 3.0, 3.0])


# The order in which errors come, and what is computed, is that of Python ------------------------


def index_before_key(x: Any, n: int) -> Any:
    a = np.array([x, 2 * x])
    try:
        y = a[n] * {0: np.sin, 1: np.cos}[n](x)
    except IndexError:
        y = x * 3.0
    except KeyError:
        y = x * 4.0
    return y


def division_before_index(x: Any, n: int) -> Any:
    return 1.0 / n + SEVERAL[n - 3](x)


def key_before_index(x: Any, n: int) -> Any:
    own = {"k": 2.0}
    return own["m" if n > 1 else "k"] + SEVERAL[n](x)


def root_before_index(x: Any, n: int) -> Any:
    return math.sqrt(n - 1.0) + SEVERAL[n - 3](x)


def target_before_value(x: Any, n: int) -> Any:
    a = np.array([x, 2 * x])
    a[n] += {0: np.sin, 1: square}[n](x)
    return a[0] * a[1]


def effects_in_order(x: Any, n: int) -> Any:
    seen = [1.0]

    def told(v: Any) -> Any:
        seen.append(v)
        return len(seen) * v

    return told(x) - SEVERAL[len(seen) % 2](x) * told(x * seen[-1]) + seen[n]


def largest_called_twice(x: Any, n: int) -> Any:
    power = max(POWERS, key=lambda p: p.k * n)(x)
    return power * max(POWERS, key=lambda p: p.k * n)(x)


def within_a_recursion(x: Any, n: int) -> Any:
    def again(v: Any, depth: int) -> Any:
        return v if depth == 0 else again((LIST[n] if n < 2 else np.cos)(v) * 0.5, depth - 1)

    return again(x, 3)


ORDERED = [index_before_key, division_before_index, key_before_index, root_before_index]
ORDERED += [target_before_value, effects_in_order, largest_called_twice, within_a_recursion]


@pytest.mark.parametrize("n", [-9, 0, 1, 2, 5])
@pytest.mark.parametrize("function", ORDERED, ids=lambda function: function.__name__)
def test_order(function: Any, n: int) -> None:
    def tried(run: Any) -> Any:
        try:
            return run()
        except AutodiffError:
            return None
        except Exception as error:
            return type(error)

    x = np.array([0.7, 1.3]) if function is largest_called_twice else 0.7
    expected, found = tried(lambda: function(x, n)), tried(lambda: value_and_grad(function)(x, n))
    if found is None or isinstance(found, type) or isinstance(expected, type):
        assert found in (None, expected)
        return
    np.testing.assert_allclose(found[0], expected)
    steps = [1e-6 * row for row in np.eye(2)] if np.ndim(x) else [1e-6]
    slopes = [(function(x + step, n) - function(x - step, n)) / 2e-6 for step in steps]
    np.testing.assert_allclose(found[1], slopes if np.ndim(x) else slopes[0], rtol=1e-6)

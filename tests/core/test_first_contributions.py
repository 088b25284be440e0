"""What adjoint memory holds first is what is added to it first, on each path."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autodiff import grad, vjp
from autodiff.derivatives.derivative import Derivative
from autodiff.pipeline import assembly
from tests.core.differences import check

X = np.array([0.7, 1.3, 0.4])


def one_path_changes_it(x: Any, n: int) -> Any:
    y = x * x
    if n > 1:
        x = x * 2.0
    return np.sum(y * x)


def both_paths(x: Any, n: int) -> Any:
    if n > 1:
        y = np.sin(x)
    else:
        y = x * 3.0
    return np.sum(y * y)


def many_paths(x: Any, n: int) -> Any:
    if n > 2:
        y = np.sin(x)
    elif n > 1:
        y = -x
    elif n > 0:
        y = x + 1.0
    else:
        y = 2.0 - x
    return np.sum(y * y)


def what_is_used_again(x: Any, n: int) -> Any:
    y = np.sin(x)
    z = y * 2.0 if n > 1 else y
    w = np.exp(y) if n > 0 else z
    return np.sum(z * w) + np.sum(y * z)


def written_behind(x: Any, n: int) -> Any:
    y = x * 1.0
    y[0] = x[1] * x[2]
    z = y if n > 1 else y * 2.0
    y[1] = 0.5 * x[0]
    return np.sum(z * z) + np.sum(y)


def in_a_loop(x: Any, n: int) -> Any:
    u = x * 1.0
    for i in range(4):
        u = u * x if i % 2 == n % 2 else u + x
    return np.sum(u * u)


def the_same_to_two(x: Any, n: int) -> Any:
    a, b = x * 2.0, np.cos(x)
    if n > 1:
        a, b = b, a
    c = a + b
    return np.sum(c * c * a)


def numbers_that_are_spread(x: Any, n: int) -> Any:
    if n > 1:
        t = np.sum(x)
    else:
        t = np.mean(x) - np.sum(x)
    return t * x[0]


def one_path_does_nothing(x: Any, n: int) -> Any:
    y = np.zeros(3)
    if n > 1:
        y = x * x
    return np.sum(y) + np.sum(x * y)


FUNCTIONS = [one_path_changes_it, both_paths, many_paths, what_is_used_again, written_behind]
FUNCTIONS += [in_a_loop, the_same_to_two, numbers_that_are_spread, one_path_does_nothing]


@pytest.mark.parametrize("n", [0, 1, 2, 3])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_paths(monkeypatch: pytest.MonkeyPatch, function: Any, n: int) -> None:
    text = check(monkeypatch, function, X, n)
    if function in (one_path_changes_it, both_paths, many_paths):
        assert "zeros_like" not in text
        assert ".copy()" not in text or function is one_path_changes_it


def test_matrices_in_another_order(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(m: Any, n: int) -> Any:
        y = np.exp(m) if n > 1 else m * 2.0
        z = y * 1.0
        z.reshape(-1)[1] = 0.0
        return np.sum(z * z)

    m = np.arange(6.0).reshape(2, 3) / 3.0
    for n in (1, 2):
        check(monkeypatch, f, m, n)
        y = np.exp(m) if n > 1 else m * 2.0
        expected = 2.0 * y * (y if n > 1 else 2.0)  # what is stored is a copy's
        np.testing.assert_allclose(grad(f)(np.asfortranarray(m), n), expected)


def test_arrays_without_axes(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(x: Any, n: int) -> Any:
        y = np.sin(x) if n > 1 else x * 2.0
        z = np.array(y)
        z[()] = z * x
        return z * y

    for n in (1, 2):
        check(monkeypatch, f, np.array(0.7), n)


def test_pullbacks_of_what_is_exchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(a: Any, b: Any) -> Any:
        if b[1]:
            a, b = (b, a)
        return a * b * a

    monkeypatch.setattr(assembly, "CHECKED", True)
    for second in (0.0, 0.4):
        a, b, seed = np.array([0.5, 1.2]), np.array([0.3, second]), np.array([1.0, -2.0])
        one, two = (b, a) if second else (a, b)
        value, pullback = vjp(f, a, b)
        np.testing.assert_allclose(value, one * two * one)
        adjoints = {id(one): 2.0 * one * two * seed, id(two): one * one * seed}
        for own, found in zip((a, b), pullback(seed)):
            np.testing.assert_allclose(found, adjoints[id(own)])


def test_what_is_handed_on_is_read_before_it_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(x: Any, y: Any, a: Any, m: Any) -> Any:
        b = np.array([2.0, x, y])
        y += b[1]
        b = m @ (a + (a + b))
        for _ in range(len(a)):
            a = b
        return y + a[2]

    m = np.array([[0.3, -0.2, 0.4], [0.6, 0.1, -0.5], [0.2, 0.7, -0.3]])
    monkeypatch.setattr(assembly, "CHECKED", True)
    slopes = grad(f, wrt=(0, 1, 2))(0.7, -0.4, np.array([0.5, 0.3, -0.6]), m)
    np.testing.assert_allclose(np.hstack(slopes), [1.7, 0.7, 0.4, 1.4, -0.6])


def test_what_is_an_array_on_one_path_is_added_to_where_the_path_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def f(x: Any, y: Any, a: Any) -> Any:
        v = a
        for _ in range(2):
            if y:
                x = v[1]
            else:
                v = 0.5
        return x * 2.0 + np.sum(a * np.array([1.0, 2.0, 3.0]))

    for y in (1.0, 0.0):
        check(monkeypatch, f, 0.7, y, np.array([0.5, 0.3, -0.6]))
        slopes = grad(f, wrt="a")(0.7, y, np.array([0.5, 0.3, -0.6]))
        np.testing.assert_allclose(slopes, [1.0, 4.0 if y else 2.0, 3.0])


def test_what_is_taken_away_first_is_a_store() -> None:
    """Of a number; and elements that are kept for the reverse sweep are looked up once."""

    def rate(y: Any, p: Any) -> Any:
        return np.array([p[0] * y[0] - p[1] * y[0] * y[1], p[3] * y[0] * y[1] - p[2] * y[1]])

    y, p, seed = np.array([0.7, 1.3]), np.array([0.4, 0.2, 0.9, 0.6]), np.array([1.0, -2.0])
    _, pullback = vjp(rate, y, p)
    y_bar, p_bar = pullback(seed)
    steps = 1e-6
    for bar, of, given in ((y_bar, 0, y), (p_bar, 1, p)):
        for k, row in enumerate(np.eye(len(given)) * steps):
            near, far = [y, p], [y, p]
            near[of], far[of] = given + row, given - row
            expected = seed @ (rate(*near) - rate(*far)) / (2 * steps)
            np.testing.assert_allclose(bar[k], expected, rtol=1e-6)
    text = Derivative(rate, "vjp", ("y", "p")).source_for(y, p)
    code = [line for line in text.splitlines() if "#" not in line]
    assert sum("y[0]" in line for line in code) == 1
    assert "-=" not in text and "p_bar[2] = -" in text

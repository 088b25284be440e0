"""Tangents along several directions in one sweep: the same numbers as by single sweeps."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from autodiff import AutodiffError, hessian, jacfwd, nondifferentiable
from autodiff.derivatives.derivative import Derivative
from autodiff.derivatives.target import Arguments
from autodiff.pipeline.compiled import Compiled
from autodiff.structure import leaves
from autodiff.transforms.hessian import ForwardJacobian
from tests.language import oracle
from tests.language.known import WRONG
from tests.language.test_language import PROGRAMS, Program

LEAST, LEAST_HESSIANS = 45, 4
"""So many programs of those looked at have, at least, code for several directions."""


class AtOnce(ForwardJacobian):
    """The Jacobian in one sweep even where that is slower than single ones."""

    def _compile(self, arguments: Arguments) -> Compiled:
        return replace(super()._compile(arguments), least=1)


class Single(ForwardJacobian):
    """The same Jacobian by one sweep for each direction."""

    _directions = False


def why_single(function: Any, *args: Any, wrt: Any = 0) -> str | None:
    """Why there is no code for several directions; empty if there is."""
    derivative = ForwardJacobian(function, "jvp", wrt, False, {})
    return derivative._compile(derivative._bind(args, {})).batched


def compare(function: Any, args: Any, keywords: Any, wrt: Any) -> str | None:
    """Compare the Jacobian with that of single sweeps; why there is nothing else to compare.

    Empty if there is, None if the function is refused.
    """
    several = AtOnce(function, "jvp", wrt, False, {})
    given = oracle.copied(list(args)), oracle.copied(dict(keywords))
    with np.errstate(all="ignore"):
        try:
            expected = Single(function, "jvp", wrt, False, {})(*given[0], **given[1])
        except AutodiffError:
            return None
        try:
            found = several(*given[0], **given[1])
        except AutodiffError:
            return "refused"
    oracle.assert_same(given[0], list(args), "arguments")
    pairs = list(zip(leaves(found), leaves(expected), strict=True))
    for one, other in pairs:
        assert type(one) is type(other)
        assert np.asarray(one).dtype == np.asarray(other).dtype
        assert np.shape(one) == np.shape(other)
        size = np.max(np.abs(np.nan_to_num(other)), initial=1.0)
        assert_allclose(one, other, rtol=1e-9, atol=1e-9 * size)
    return several._compile(several._bind(*given)).batched


def check(entry: Program) -> str | None:
    point = entry.points[0]
    return compare(entry.function, point.args, point.kwargs, entry.wrt_at(point))


SOME = PROGRAMS[3::24]


@pytest.mark.heavy  # a sweep
def test_programs() -> None:
    """The whole corpus was compared when this was written: 2,515 of 2,708 calls take one sweep."""
    reasons = [check(entry) for entry in SOME if entry.name not in WRONG]
    assert reasons.count("") >= LEAST


@pytest.mark.heavy  # a sweep
def test_hessians_of_programs() -> None:
    reasons = []
    for entry in PROGRAMS[7::160]:
        point = entry.points[0]
        gradient = Derivative(entry.function, "grad", entry.wrt_at(point), False, {})
        reasons.append(compare(gradient, point.args, point.kwargs, entry.wrt_at(point)))
    assert reasons.count("") >= LEAST_HESSIANS


X = np.linspace(0.3, 1.4, 5)
A = np.cos(np.arange(25.0)).reshape(5, 5) + 3.0 * np.eye(5)


def running(x):
    y = np.zeros(len(x))
    s = 0.0
    for i in range(1, len(x)):
        y[i] = x[i] * y[i - 1] + np.sin(x[i - 1])
        s = s + y[i] ** 2
    return y * s


def overwritten(x):
    """A number that is read before its slot changes."""
    y = x * x
    first = y[0]
    pair = (y[1], y[2])
    y[0] = 3.0 * y[4]
    y[1:3] = x[0]
    return first * y + pair[0] - pair[1]


def summed(x):
    """Numbers that are summed up in a list and in a dict."""
    sums = [0.0] * 3
    table = {"a": 0.0, "b": x[0]}
    for i in range(len(x)):
        sums[i % 3] += x[i] ** 2
        table["a"] += sums[i % 3] * x[i]
    return sums, table


def swapped(x):
    u, w = x * 2.0, np.ones_like(x)
    for _ in range(3):
        w[1:-1] = u[1:-1] + u[:-2] * u[2:]
        u, w = w, u
    return u - w


def broadcast(x):
    column = x[:, None]
    table = column * x - np.sum(x) * column[::-1] + np.mean(x)
    return table.T, table[[0, 2], 1:], table[table > 0.2], table.reshape(-1)[3]


def products(x):
    u = A @ x
    v = np.outer(u, x) @ A
    w = np.linalg.solve(A, np.tanh(u)) + x @ v
    return v @ w, np.einsum("ij,j->i", v, w), np.dot(u, w), np.trace(v), np.cumsum(w)


def joined(x):
    first, *rest = [x[i] ** 2 for i in range(3)]
    rows = np.array([[first, 1.0], [rest[0], x[4]]])
    return np.concatenate([x, rows[0], rows[:, 1]]), np.stack([x, 2.0 * x], axis=1), np.diff(x)


def clipped(x):
    return np.clip(x, 0.5, 1.0), np.convolve(x, x), np.sort(x * (2.0 - x))


def halved(x):
    y = np.zeros_like(x)
    y[1:] = x[:-1] * x[1:]
    return y * np.float32(0.5)


FUNCTIONS = (running, overwritten, summed, swapped, broadcast, products, joined, clipped)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_it_is_one_sweep_with_the_same_numbers(function):
    assert compare(function, (X,), {}, 0) == ""


def rolled(x):
    s, kept = 0.5, []
    for i in range(len(x)):
        s = np.sin(s) * x[i] + s if s < 1.0 else s / (1.0 + x[i])
        kept.append(s * x[0])
    return s * kept[2] + kept[-1]


ENERGIES = {
    "running": lambda x: np.sum(running(x)),
    "overwritten": lambda x: np.sum(overwritten(x)),
    "swapped": lambda x: np.sum(swapped(x)),
    "broadcast": lambda x: np.sum(broadcast(x)[0]),
    "products": lambda x: np.sum(np.tanh(A @ x) ** 2) * (x @ x),
    "rolled": rolled,
}


@pytest.mark.parametrize("name", ENERGIES)
def test_hessians_are_one_sweep(name):
    gradient = Derivative(ENERGIES[name], "grad", 0, False, {})
    assert compare(gradient, (X,), {}, 0) == ""
    found = hessian(ENERGIES[name])(X)
    assert_allclose(found, found.T, rtol=1e-9, atol=1e-9)


def test_several_arguments_of_different_structure():
    def f(a, p):
        return p["w"] @ a, p["b"] * p["n"]

    p = {"w": A, "b": 2.0, "n": 3, "name": "p"}
    assert compare(f, (X, p), {}, (0, 1)) == ""


def test_single_precision():
    assert compare(halved, (X.astype(np.float32),), {}, 0) == ""


def test_integers_in_the_value_have_no_column():
    found = jacfwd(lambda x: (len(x), x[0] * x[1]))(np.array([2.0, 3.0]))
    assert found[0] == 2
    assert_allclose(found[1], [3.0, 2.0])


def test_many_directions_are_taken_in_blocks():
    x = np.linspace(0.0, 1.0, 300)
    assert_allclose(jacfwd(lambda x: np.cumsum(x * x))(x), np.tril(np.full((300, 300), 2.0)) * x)


def test_no_direction():
    assert jacfwd(lambda x: np.tanh(x))(np.zeros(0)).shape == (0, 0)


CALLS: list[int] = []


@nondifferentiable
def counted(x):
    CALLS.append(1)
    return 1.0


def test_the_primal_runs_once():
    jacfwd(lambda x: x * counted(x))(X)
    CALLS.clear()
    jacfwd(lambda x: x * counted(x))(X)
    assert len(CALLS) == 1


def reshaped(x):
    """Whether this is a view depends on the layout; along one direction it is one."""
    y = x * 1.0
    z = y.reshape(5, 1)
    z[1] = 7.0 * x[0]
    return y


def test_a_few_directions_of_numbers_are_taken_one_by_one():
    derivative = jacfwd(lambda a, b: a * b + a / b, wrt=(0, 1))
    derivative(2.0, 3.0)
    assert "Value and tangent of" in derivative.source
    assert compare(derivative.primal, (2.0, 3.0), {}, (0, 1)) == ""


def test_what_cannot_be_proved_takes_single_sweeps():
    assert why_single(reshaped, X)
    assert compare(reshaped, (X,), {}, 0)


def test_the_source_shows_which():
    derivative = jacfwd(running)
    derivative(X)
    assert "Value and tangents of" in derivative.source
    assert "y_dot[:, i]" in derivative.source
    derivative = jacfwd(reshaped)
    derivative(X)
    assert "Value and tangent of" in derivative.source

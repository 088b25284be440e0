"""Tangents along several directions at once: those of one direction after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autodiff import hessian, jacfwd
from autodiff.derivatives.derivative import Derivative
from autodiff.pipeline import assembly, compiler
from autodiff.primitives.axes_found import is_axis
from autodiff.rules import registry
from tests.forward.test_directions import compare, why_single
from tests.rules.samples import SAMPLES

X = np.array([0.7, -0.4, 1.3])


def aliases(x):
    """Views, and numbers that are read from what changes and kept."""
    m = np.outer(x, x)
    rows = [m[0], m.T[1]]
    kept = [m[0, 0], m[1, 2]]
    rows[0][0] = 3.0 * x[1]
    rows[1] += x
    m[1, 2] = kept[0] * kept[1]
    return m, kept[0] * rows[1]


def sums_in_containers(x):
    """Numbers to which something is added where others hold the same."""
    s = x[0]
    held, table = [s, s, 0.0], {"a": s}
    for k in range(3):
        held[k] += x[k] * s
        table["a"] += held[k]
    return s * held[1], table["a"], held[0]


def branches_and_loops(x):
    """Zeros that are carried and joined."""
    s, u = 0.0, np.zeros(3)
    while s < 1.0:
        t = x[2] if s > 0.3 else 0.0
        s = s + 0.2 + t * x[0] ** 2
        u[1:] = u[:-1] + s * x[1:]
    return u * s, s


def halved(v, depth):
    return v if depth == 0 else np.sin(halved(0.5 * v, depth - 1)) + v[::-1]


def callees(x):
    """Functions that stay functions are along several directions, too."""
    return halved(x, 3) * halved(x * x, 2)


def of_several_ranks(x):
    """Axes stand between that of the directions and those behind."""
    m = x[:, None] * x + np.sum(x) - np.mean(x) * np.eye(3)
    at = np.array([0, 2])
    return m.T @ x, m[at, :, None][..., 0], m[0, :][at], np.cumsum(m, axis=0), m[None, 1:, at]


def products(x):
    m = np.outer(x, x) + np.eye(3)
    stack = np.stack([m, m * x])
    return stack @ x, x @ stack, np.einsum("kij,j->ki", stack, x), np.vdot(m, m), np.dot(x, m)


def joined(x):
    rows = np.array([[x[0], 1.0], [x[1] * x[2], x[2]]])
    whole = np.concatenate([[x[0]], x, [0.0, x[1] ** 2]])
    return np.vstack([x, x * 2.0]), np.hstack([x, x[0]]), rows @ rows, whole, sum([x[0], x[2] ** 2])


def without_a_form(x):
    """What is applied to each direction."""
    stack = np.ones((2, 1, 1)) * np.outer(x, x)
    picked = stack[[0, 1], :, [1, 2]]
    return np.convolve(x, x), np.kron(x, x[:2]), picked, np.roll(x, 1)


def parts_of_what_changes(x):
    """Adjoints of numbers are read from an array to which something is added, before that."""
    y, s = x * 1.5, x[1] * 0.7
    y += np.array([np.sum(-y), np.sum(s - y), np.sum(x)])
    return np.sum(y * x) - s * y[2]


FUNCTIONS = (
    parts_of_what_changes,
    *(aliases, sums_in_containers, branches_and_loops, callees, of_several_ranks, products),
    *(joined, without_a_form),
)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_jacobians(function: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assembly, "CHECKED", True)
    compiler.REASONS.clear()
    assert compare(function, (X,), {}, 0) == ""
    assert not compiler.REASONS


def has_axis(function: Any) -> bool:
    """Whether a function is its own tangent, with an axis among its parameters."""
    rule = registry.rule_for(function)
    own = rule is not None and rule.linear and type(function).__module__ != "builtins"
    return own and any(is_axis(parameter.name) for parameter in rule.parameters)


ALONG = [function for function in SAMPLES if has_axis(function)]


@pytest.mark.parametrize("function", ALONG, ids=lambda f: f.__name__)
def test_functions_along_axes(function: Any) -> None:
    """Which parameter is the axis its rule says; nothing else says what has one."""
    reasons = []
    for sample in SAMPLES[function]:
        x, *args = sample.args
        named = sample.kwargs
        if not isinstance(x, np.ndarray) or x.dtype != np.float64 or x.size < 2:
            continue

        def f(x, named=named, args=args):
            return function(x, *args, **named)

        reasons.append(compare(f, (x,), {}, 0))
    assert "" in reasons or not reasons


def first_of(function: Any) -> Any:
    """The sum of the first result, as a function of its own."""

    def summed(x):
        found = function(x)
        return np.sum(found[0]) if isinstance(found, tuple) else np.sum(found)

    return summed


@pytest.mark.parametrize("function", FUNCTIONS[:5], ids=lambda f: f.__name__)
def test_hessians(function: Any) -> None:
    gradient = Derivative(first_of(function), "grad", 0, False, {})
    assert compare(gradient, (X,), {}, 0) == ""
    found = hessian(first_of(function))(X)
    np.testing.assert_allclose(found, found.T, rtol=1e-9, atol=1e-9)


def fortran(x):
    """Whether `z` is a view depends on how the argument lies in memory."""
    y = x * 1.0
    z = y.reshape(-1)
    z[0] = 5.0 * x[1, 1]
    return y


def number_or_array(x):
    total = 0.0
    for k in range(int(x.size > 1) + 1):
        total = total + x * k
    return total


@pytest.mark.parametrize("function", [fortran, number_or_array])
def test_what_is_not_known_goes_along_one_direction(function: Any) -> None:
    m = np.asfortranarray(np.outer(X, X + 1.0))
    assert why_single(function, m)
    assert compare(function, (m,), {}, 0)


def test_structures_of_arguments() -> None:
    def f(p, q):
        return p["w"] @ q[0] * q[1], {"b": p["n"] * q[1] ** 2}

    p = {"w": np.outer(X, X), "n": 3}
    assert compare(f, (p, (X, 0.5)), {}, (0, 1)) == ""


def test_differences() -> None:
    """Against differences, of a program with all of it."""

    def f(x):
        m, row = aliases(x)
        u, s = branches_and_loops(x)
        return np.concatenate([m.ravel(), row, u, [s], callees(x)])

    one = np.column_stack([(f(X + e) - f(X - e)) / 2e-6 for e in 1e-6 * np.eye(3)])
    np.testing.assert_allclose(jacfwd(f)(X), one, rtol=1e-5, atol=1e-6)

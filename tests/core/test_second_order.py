"""Derivatives of derivatives: the sweeps of the inner one are operations like others."""

from __future__ import annotations

import importlib.util
import inspect
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autodiff import AutodiffError, grad, hessian, hvp, jvp, value_and_grad, vjp
from autodiff.core import Region
from autodiff.derivatives.derivative import Derivative
from autodiff.pipeline import assembly, compiler
from autodiff.transforms.tangents import Tangent
from tests.core.judge import Unsteady, compare, judged_at, seed_like
from tests.core.judge import copied as copied_arguments
from tests.core.random_memory import Program, points

X = np.array([0.7, -1.3, 0.4, 1.1])
V = np.array([1.1, 0.4, -0.6, 0.9])
A = np.arange(1.0, 10.0).reshape(3, 3)
M = np.array([[0.3, -0.8, 1.2], [0.5, 0.9, -0.4], [1.1, 0.2, -0.7]])


def along_differences(gradient: Callable[..., Any], x: Any, v: Any, *others: Any) -> Any:
    step = 1e-6
    ends = [gradient(x + own * v, *others) for own in (step, -step)]
    return (ends[0] - ends[1]) / (2.0 * step)


@pytest.fixture(autouse=True)
def through_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assembly, "CHECKED", True)
    compiler.REASONS.clear()


def check(function: Callable[..., Any], x: Any, v: Any, *others: Any) -> None:
    """The gradient along a direction, by tangents and by adjoints; both go through Core."""
    gradient = grad(function)
    expected = along_differences(gradient, x, v, *others)
    close = {"rtol": 1e-5, "atol": 1e-6}
    compiler.REASONS.clear()
    rest = [None] * len(others)
    np.testing.assert_allclose(jvp(gradient, (x, *others), (v, *rest))[1], expected, **close)
    np.testing.assert_allclose(hvp(function)(x, *others, v), expected, **close)
    np.testing.assert_allclose(vjp(gradient, x, *others)[1](v)[0], expected, **close)
    assert not compiler.REASONS, compiler.REASONS


def shadows_on_lists(x, names=("s", "t")):
    state = {name: {"p": x * k, "v": 0.0} for k, name in enumerate(names)}
    for name in names:
        state[name]["v"] = np.sum(state[name]["p"] ** 2)
        state[name]["p"] = x * state[name]["v"]
    return state["s"]["v"] + np.sum(state["t"]["p"])


def one_row_onto_another(x):
    y = x * x
    y[::2] = y[:2].copy()
    return np.sum(y**2 * x)


def in_place_in_a_loop(x):
    y = x.copy()
    for i in range(1, len(x)):
        y[i] += y[i - 1] ** 2 * x[i]
    return np.sum(np.tanh(y))


def with_a_view_in_a_list(x):
    rows = []
    for i in range(3):
        rows.append(x[i:] * x[0])
    return np.sum(rows[0] ** 3) + np.sum(rows[2] ** 2)


def adjoint_that_is_handed_on_and_changes(x):
    y = np.sum(x) * x
    y[0] *= 2.0
    y = y + x
    return np.sum(np.sin(y) * x)


def adjoint_in_a_product_that_changes_behind(x):
    y = x * x * x[0]
    y[:2] += y[1:3]
    y = 2.0 * y + x * x
    return np.sum(np.sin(y) * x)


def adjoint_of_a_helper_that_changes_behind(x):
    y = np.outer(x, x)
    y[0] *= 2.0
    y = y + np.linalg.eigh(np.diag(np.arange(1.0, 5.0)) + np.outer(x, x))[1] ** 2
    return np.sum(np.sin(y) * x)


def decomposed_in_a_loop(x):
    m = np.outer(x, x) + np.diag(np.arange(1.0, 5.0))
    for _ in range(2):
        u, s, v = np.linalg.svd(m)
        m = u @ np.diag(np.tanh(s)) @ v * x[0] + np.diag(np.arange(1.0, 5.0))
    w, q = np.linalg.eigh(m + m.T)
    return np.sum(w[:, None] * q**2 * m) + np.linalg.slogdet(m)[1]


def parted_in_a_loop(x):
    total, y = 0.0, x[0]
    for k in range(4):
        part, whole = np.modf(y * 2.3)
        total = total + part**2 * (whole + k) * x[1]
        y = y + part * 0.5
    return total


def helper(y, k):
    z = np.sin(y) * k
    z[0] = y[1] ** 3
    return z


def called_from_two_places(x):
    return np.sum(helper(x, 2.0) * helper(x * x, 3.0))


def until_it_is_small(x):
    y = x[0] * x[1]
    while abs(y) > 0.1:
        y = y * 0.5 * np.cos(x[2])
    return y * x[3]


@pytest.mark.parametrize(
    "function",
    [
        shadows_on_lists,
        decomposed_in_a_loop,
        parted_in_a_loop,
        one_row_onto_another,
        in_place_in_a_loop,
        with_a_view_in_a_list,
        adjoint_that_is_handed_on_and_changes,
        adjoint_in_a_product_that_changes_behind,
        adjoint_of_a_helper_that_changes_behind,
        called_from_two_places,
        until_it_is_small,
    ],
)
def test_both_orders(function):
    check(function, X, V)


def lists_that_are_swapped(x, n):
    new = [x, x * x, 1.0]
    old = [0.0] * 3
    for _ in range(n):
        old, new = new, old
        for i in range(3):
            new[i] = old[i - 1] * x + old[i]
    return new[0] * new[1] + old[2]


@pytest.mark.parametrize("n", range(4))
def test_what_a_store_overwrote_in_a_list(n):
    """A number that is put back has an adjoint of its own, not that of the place it came from."""
    gradient = grad(lists_that_are_swapped, ("x",))
    expected = along_differences(lambda x: gradient(x, n)[0], 0.7, 1.0)
    np.testing.assert_allclose(jvp(gradient, (0.7, n), (1.0, None))[1][0], expected, rtol=1e-6)
    _, pullback = Derivative(gradient, "vjp", ("x",))(0.7, n)
    np.testing.assert_allclose(pullback((1.0,))[0], expected, rtol=1e-6)
    assert not compiler.REASONS, compiler.REASONS


def masked(x):
    y = x * 1.0
    for _ in range(2):
        z = np.log(y)
        z[y < 0.1] = 0.0
        y = y * 1.5 + z * z
    return np.sum(y)


def chosen(x):
    y = x * 1.0
    s = 0.0
    for _ in range(3):
        z = np.where(y < 0.1, 0.0, np.sqrt(y))
        y = z * 1.5
        s = s + np.sum(z)
    return s


@pytest.mark.parametrize("function", [masked, chosen])
def test_an_adjoint_that_is_zero_by_chance(function):
    """At 1.0 the logarithm is zero, and so is its adjoint; at 0.0 neither is a number."""
    with np.errstate(all="ignore"):
        check(function, np.array([0.0, 1.0, 0.25, 2.0]), np.array([0.0, 0.4, -0.6, 0.9]))


M3 = np.array([1, 0, 2, 0])


def masked_by_numbers(x):
    return np.sum(np.where(M3, x**3, 0.0) * x)


def masked_by_numbers_in_a_loop(x):
    y = x * 1.0
    for i in range(2):
        y = np.where(M3 * 0.5 * i, y * x, 0.0) + x
    return np.sum(y**2)


@pytest.mark.parametrize("function", [masked_by_numbers, masked_by_numbers_in_a_loop])
def test_masks_that_are_numbers_are_no_adjoints(function):
    check(function, X, V)


def test_complex_numbers_that_may_be_real():
    def f(v):
        z = v * (1 + 2j)
        if np.isrealobj(z):
            z = z.real
        w = np.sum(z)
        return np.real((2 - 1j) * w * w)

    check(f, X, V)


def test_orders_above_the_second():
    def f(x):
        return x**3 * np.sin(x)

    third = grad(grad(grad(f)))
    expected = along_differences(grad(grad(f)), 1.2, 1.0)
    np.testing.assert_allclose(third(1.2), expected, rtol=1e-6)
    np.testing.assert_allclose(grad(jvp_of(grad(f)))(1.2), third(1.2), rtol=1e-12)
    assert "f_grad_grad_grad" in third.source


def jvp_of(function):
    return lambda x: jvp(function, (x,), (1.0,))[1]


def test_arguments_of_every_form():
    def f(a, x=2.0, *, k=3.0):
        return a**3 * x**2 * k

    np.testing.assert_allclose(grad(grad(f))(1.5), 6.0 * 1.5 * 4.0 * 3.0)
    np.testing.assert_allclose(grad(grad(f), "x")(1.5, 2.0, k=1.0), 3.0 * 1.5**2 * 4.0)
    np.testing.assert_allclose(grad(grad(f), "k")(1.5, 2.0, k=1.0), 3.0 * 1.5**2 * 4.0)
    both = grad(value_and_grad_of(f), ("a", "x"))(1.5, 2.0)
    np.testing.assert_allclose(both, (6.0 * 1.5 * 4.0 * 3.0, 3.0 * 1.5**2 * 4.0 * 3.0))
    assert not compiler.REASONS, compiler.REASONS


def value_and_grad_of(function):
    return lambda a, x: value_and_grad(function)(a, x)[1]


def copied(m):
    y = np.copy(m)
    y.reshape(-1)[1] = 0.0
    return np.sum(y**3 * A)


def of_a_product(m):
    y = (m * 2.0).copy()
    y.reshape(-1)[1] = 0.0
    return np.sum(y**3 * A)


def added_to_columns(m):
    y = np.zeros((3, 3), order="F")
    y += m
    y.reshape(-1)[1] = 0.0
    return np.sum(y**3 * A)


def joined(m):
    y = np.concatenate([m, m])
    y.reshape(-1)[1] = 0.0
    return np.sum(y[:3] ** 3 * A)


@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize("function", [copied, of_a_product, added_to_columns, joined])
def test_what_a_view_is_in_each_memory_order(function, order):
    """Along several directions at once a tangent lies otherwise than its value."""
    m = np.array(M, order=order)
    found = hessian(function)(m)
    gradient = grad(function)
    for i, j in np.ndindex(3, 3):
        v = np.zeros_like(m)
        v[i, j] = 1.0
        expected = along_differences(gradient, m, v)
        np.testing.assert_allclose(found[:, :, i, j], expected, atol=1e-6)
        np.testing.assert_allclose(hvp(function)(m, v), expected, atol=1e-6)


def network(p, x, sizes):
    k, h = 0, x
    for a, b in zip(sizes, sizes[1:]):
        w = p[k : k + a * b].reshape(a, b)
        k += a * b
        h = np.tanh(h @ w + p[k : k + b])
        k += b
    return np.sum(h**2)


def product_of_a_tree(x, lo, hi):
    if hi - lo == 1:
        return np.sin(x[lo]) * x[lo]
    middle = (lo + hi) // 2
    return product_of_a_tree(x, lo, middle) * product_of_a_tree(x, middle, hi)


@pytest.mark.parametrize(
    ("function", "x", "others"),
    [
        (network, np.linspace(-1.0, 1.0, 13), (np.ones((2, 2)) * 0.3, (2, 3, 1))),
        (product_of_a_tree, X, (0, 4)),
    ],
)
def test_hessians_that_were_refused(monkeypatch, function, x, others):
    monkeypatch.setattr(assembly, "CHECKED", False)
    found = hessian(function)(x, *others)
    expected = [along_differences(grad(function), x, v, *others) for v in np.eye(len(x))]
    np.testing.assert_allclose(found, np.transpose(expected), atol=1e-6)


TOTAL = """

def total(x, y, a, b, m, n):
    s = 0.0
    r = f(x, y, a, b, m, n)
    for q in r if isinstance(r, tuple) else (r,):
        s = s + np.sum(np.sin(q) * q)
    return s
"""


@pytest.mark.slow
def test_random_programs_with_memory(tmp_path):
    """Tangents of gradients against differences, and adjoints of gradients against them."""
    judged = 0
    for seed in range(9000, 9020):
        program = Program(seed)
        wrt = tuple(program.wrt)
        function = defined(program.text + TOTAL, tmp_path / f"twice_{seed}.py")
        compiler.REASONS.clear()
        try:
            for point in points():
                gradient = grad(function, wrt)
                judged_at(gradient, point, wrt, ("jvp",))
                names = list(inspect.signature(function).parameters)
                random = np.random.default_rng(3)
                dots = tuple(seed_like(point[names.index(own)], random) for own in wrt)
                given = copied_arguments(point)
                _, tangent = Tangent(gradient, "jvp", wrt).along(tuple(given), {}, dots)
                _, pullback = Derivative(gradient, "vjp", wrt)(*copied_arguments(point))
                for _ in range(2):
                    compare(pullback(dots), tangent, f"{seed}: both orders", 1e-6)
        except (Unsteady, AutodiffError):
            continue
        judged += not compiler.REASONS
    assert judged >= 12


def defined(text: str, path: Path) -> Any:
    """The function `total` of a program that is written down."""
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.total


def test_memory_that_holds_itself_is_united():
    one, other = Region(), Region()
    other.inner["x"] = other
    one.unite(other)
    assert one.find().part("x") is one.find()
    some, other = Region(), Region()
    some.part("k")
    other.inner[None] = other
    some.unite(other)
    assert some.find().part("k") is some.find().part("l")


def a_sum_in_a_branch(x, n=2):
    if n:
        x *= x * np.sum(x)
    return np.sum(x * x)


def test_what_branches_leave_for_a_rule_is_its_own():
    """A rule is repeated on other operands: not with the value that a branch left for the first."""
    check(a_sum_in_a_branch, X, V)


def one_element_less_all(x):
    y = x * 1.5
    z = y[1] * x - y
    return np.sum(z * z)


def less_one_element_less_all(x):
    y = x * 1.5
    x -= y[1] - y
    return np.sum(x * x)


@pytest.mark.parametrize("function", [one_element_less_all, less_one_element_less_all])
def test_an_adjoint_is_a_negative_until_something_is_added(function):
    """Where an adjoint is read, all is in it that was added in place."""
    check(function, X, V)


def parts_of_an_array_of_a_branch(x):
    y = x * 1.5
    s = x[1] * 0.7
    if np.tanh(s) < 0.2:
        y[1:3] *= np.array([1.5, x[0], s])[:2]
    return np.sum(x * y)


def test_parts_of_what_a_branch_leaves():
    """The adjoint of an array that is there on one path begins where parts of that are read."""
    check(parts_of_an_array_of_a_branch, X, V)


def powers_on_one_path(x, h):
    t = 1.0
    for i in range(4):
        if h > 0:
            t *= x[i] * h**-0.5
        else:
            t *= x[i] ** 2
    return t


def roots_that_are_caught(x, h):
    n, s = x[1] * h, 2.0
    for k in range(3):
        try:
            s = math.sqrt(n)
        except ValueError:
            s = x[k]
    return s * x[3]


@pytest.mark.parametrize("function", [powers_on_one_path, roots_that_are_caught])
@pytest.mark.parametrize("h", [0.0, 0.5, -0.5])
def test_what_would_raise_stays_where_it_is_not_run(function, h):
    """What is done again was moved in front of a loop, as if it could not raise."""
    if function is roots_that_are_caught and not h:
        return
    found = hessian(function)(X, h)
    expected = [along_differences(grad(function), X, v, h) for v in np.eye(4)]
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-8)

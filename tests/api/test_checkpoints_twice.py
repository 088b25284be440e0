"""Second derivatives through checkpointed loops and calls, against those of plain ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from autodiff import check_grads, checkpoint, checkpointed, grad, hessian, hvp, jacrev, jvp
from autodiff.derivatives.derivative import Derivative
from autodiff.runtime import checkpoints
from autodiff.structure import leaves
from tests.api.test_checkpoints import CASES, V, copies

pytestmark = pytest.mark.heavy


def along(function: Callable[..., Any], args: tuple[Any, ...]) -> list[Any]:
    """The tangent of the gradient with respect to all floats, along one direction."""
    floats = tuple(k for k, a in enumerate(args) if not isinstance(a, int))
    v = [np.cos(np.arange(np.size(a)) + 1.0).reshape(np.shape(a)) for a in args]
    v = [float(d) if np.ndim(d) == 0 else d for d in v]
    tangents = tuple(d if k in floats else None for k, d in enumerate(v))
    derivative = Derivative(function, "grad", floats)
    return list(leaves(jvp(derivative, tuple(copies(args)), tangents)[1]))


def of_pullback(function: Callable[..., Any], args: tuple[Any, ...]) -> list[Any]:
    """The gradient of the gradient's product with a vector: reverse over reverse."""
    first, *others = copies(args)
    seed = np.cos(np.arange(np.size(first)) + 1.0).reshape(np.shape(first))[()]
    _, pullback = Derivative(grad(function), "vjp", (0,))(first, *others)
    return [pullback(seed)[0]]


@pytest.mark.parametrize("order", [along, of_pullback])
@pytest.mark.parametrize(
    ("plain", "function", "args"), CASES, ids=lambda f: getattr(f, "__name__", "")
)
def test_loops(plain, function, args, order):
    expected = order(plain, args)
    for found, own in zip(order(function, args), expected, strict=True):
        assert_allclose(found, own, rtol=1e-11, atol=1e-14)
    assert any(np.any(own != 0) for own in expected) or function.__name__ == "never"


def stepped(u, nu):
    for t in checkpointed(range(7), snapshots=2):
        u[1:-1] = u[1:-1] - nu * u[1:-1] * (u[2:] - u[:-2]) * t
        u[0] = u[1] * u[1]
    return np.sum(u**2)


def relaxed(u, nu):
    y = np.sum(u)
    with checkpointed(snapshots=2):
        while y < 2.5:
            y = y + 0.2 * np.exp(-y) * nu + 0.1 * u[1] * y
    return y * nu


@checkpoint
def layer(u, nu):
    return np.tanh(nu * u) * u


def layered(u, nu):
    for _ in range(3):
        u = layer(u, nu) + nu
    return np.sum(u**2)


@pytest.mark.parametrize("function", [stepped, relaxed, layered])
def test_all_orders_of_modes(function):
    """Forward over reverse, reverse over reverse, and differences."""
    check_grads(function, V.copy(), 0.3, order=2)
    matrix = hessian(function)(V.copy(), 0.3)
    assert_allclose(matrix, matrix.T, rtol=1e-12, atol=1e-14)
    assert_allclose(matrix, jacrev(grad(function))(V.copy(), 0.3), rtol=1e-12, atol=1e-14)
    v = np.cos(V)
    assert_allclose(hvp(function)(V.copy(), 0.3, v), matrix @ v, rtol=1e-12)


def advanced(u, steps, kept):
    for t in checkpointed(range(steps), snapshots=kept):
        u = u * np.cos(u) + 0.1 * t
    return np.sum(u * u)


def test_a_hessian_product_keeps_few_states(monkeypatch):
    """It is the gradient of the tangent, and so is what `jvp` gives of a gradient."""
    most = []
    advance = checkpoints.Loop.advance

    def counting(loop, action, state):
        most.append(len(loop.kept))
        return advance(loop, action, state)

    monkeypatch.setattr(checkpoints.Loop, "advance", counting)
    v = np.cos(V)
    product = hvp(advanced)
    found = [product(V, 30, 3, v), product(V, 30, 3, v)]
    assert max(most) == 3
    slope, along = jvp(grad(advanced), (V, 30, 3), (v, None, None))
    assert max(most) == 3
    assert_allclose(slope, grad(advanced)(V, 30, 3), rtol=1e-13)
    for own in (*found, along):
        assert_allclose(own, hessian(advanced)(V, 30, 3) @ v, rtol=1e-11)


def test_tangents_of_gradients_along_other_arguments():
    v = np.cos(V)
    for wrt, dots in ((0, (None, 0.7)), (1, (v, None)), ((0, 1), (v, 0.7))):
        _, found = jvp(grad(stepped, wrt), (V.copy(), 0.3), dots)
        blocks = hessian(stepped, (0, 1))(V.copy(), 0.3)
        given = [k for k, d in enumerate(dots) if d is not None]
        own = [sum(np.dot(row[k], dots[k]) for k in given) for row in blocks]
        expected = own if isinstance(wrt, tuple) else [own[wrt]]
        for one, other in zip(found if isinstance(wrt, tuple) else [found], expected, strict=True):
            assert_allclose(one, other, rtol=1e-11)


class Model:
    def __init__(self, nu):
        self.nu = nu

    def energy(self, u):
        return stepped(u, self.nu)


def test_hessian_products_of_methods():
    v = np.cos(V)
    found = hvp(Model(0.3).energy)(V.copy(), v)
    assert_allclose(found, hvp(stepped)(V.copy(), 0.3, v), rtol=1e-11)


@pytest.mark.parametrize("name", sorted({f.__name__ for _, f, _ in CASES} - {"never"}))
def test_gradients_of_tangents(name):
    """Reverse over forward, of which the loops stay checkpointed."""
    plain, function, args = next(case for case in CASES if case[1].__name__ == name)
    first, *others = copies(args)
    v = np.cos(np.arange(np.size(first)) + 1.0).reshape(np.shape(first))[()]

    def rest(x):
        return function(x, *others)

    def along(x):
        return jvp(rest, (x,), (v,))[1]

    slope = grad(along)
    expected = hvp(lambda x: plain(x, *others))(copies(args)[0], v)
    for own, other in zip(leaves(slope(first)), leaves(expected), strict=True):
        assert_allclose(own, other, rtol=1e-10, atol=1e-13)
    assert "checkpointed_steps(" in slope.source


@checkpoint
def coupled(u, w):
    return np.sin(u) * w, w * w


@checkpoint
def stage(state, nu):
    return {"u": np.tanh(nu * state["u"]), "count": state["count"] + 1, "s": nu * state["s"]}


def pairs_of_arrays(u, nu):
    w = u[::-1] * nu
    for _ in range(3):
        u, w = coupled(u, w)
    return np.sum(u * w)


def states_in_dicts(u, nu):
    state = {"u": u, "count": 0, "s": nu}
    for _ in range(3):
        state = stage(state, nu)
    return np.sum(state["u"] ** 2) * state["s"] * state["count"]


@pytest.mark.parametrize("function", [pairs_of_arrays, states_in_dicts])
def test_calls_that_return_several_values(function):
    check_grads(function, V, 0.6, order=2)
    v = np.cos(V)
    matrix = hessian(function)(V, 0.6)
    assert_allclose(matrix, matrix.T, rtol=1e-12, atol=1e-14)
    assert_allclose(hvp(function)(V, 0.6, v), matrix @ v, rtol=1e-12)


@checkpoint
def quadratic(x, n):
    return np.sin(x) * x + n * x**2


def through_layers(x, n):
    if n == 0:
        return np.sum(x * x)
    return through_layers(quadratic(x, n), n - 1) * 0.1


@checkpoint
def itself(x, n):
    if n == 0:
        return x * x
    return itself(np.sin(x) * x, n - 1) * x


def of_a_recursion(u, nu):
    return through_layers(u * nu, 3)


def of_a_function_that_calls_itself(u, nu):
    return np.sum(itself(u * nu, 3))


@pytest.mark.parametrize("function", [of_a_recursion, of_a_function_that_calls_itself])
def test_checkpointed_calls_in_recursion(function):
    gradient, h, v = grad(function), 1e-5, np.cos(V)
    expected = (gradient(V + h * v, 0.6) - gradient(V - h * v, 0.6)) / (2 * h)
    assert_allclose(hvp(function)(V, 0.6, v), expected, rtol=1e-6, atol=1e-8)
    assert_allclose(hessian(function)(V, 0.6) @ v, expected, rtol=1e-6, atol=1e-8)
    backwards = grad(lambda u: np.sum(gradient(u, 0.6) * v))(V)
    assert_allclose(backwards, expected, rtol=1e-6, atol=1e-8)

"""What goes natively through Core, and what is refused."""

from __future__ import annotations

import linecache
import types

import numpy as np
import pytest

pytest.importorskip("numba")

from autodiff import NativeError, grad, value_and_grad  # noqa: E402
from autodiff.derivatives.derivative import Derivative  # noqa: E402

V = np.array([0.5, 1.5, -0.7, 2.0])
BUFFER = np.ones(4)


def agrees(function, *arguments):
    """The native text, where the gradient is Python's."""
    kept = [np.copy(argument) for argument in arguments]
    native = value_and_grad(function, backend="numba")
    value, found = native(*arguments)
    wanted_value, wanted = value_and_grad(function)(*arguments)
    assert value == pytest.approx(wanted_value, rel=1e-13)
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-14)
    for argument, before in zip(arguments, kept):
        np.testing.assert_array_equal(argument, before)
    return native.source


def held_in_a_list(x):
    xs = []
    for k in range(3):
        xs.append(x * (k + 1))
    xs[1][0] = x[1]
    return np.sum(xs[-1] * xs[1])


def stored_into_a_list(x):
    a = x * 2.0
    xs = [a, x * x]
    xs[1] = a
    xs[1][0] = x[2] * 3.0
    return np.sum(a * xs[0])


def of_two_types(x):
    t = 3
    s = x[t - 1] * t
    t = 0.5 * x[0]
    return s * t


def dear_calls(x):
    s = 0.0
    for k in range(len(x)):
        s = s * 0.5 + np.exp(x[k]) * x[k]
    return s * s


@pytest.mark.parametrize("function", [held_in_a_list, stored_into_a_list, of_two_types, dear_calls])
def test_goes_through_core(function):
    agrees(function, V)


def test_calls_are_not_computed_twice():
    assert agrees(dear_calls, V).count("= np.exp(") == 1


def changes_what_is_outside(x):
    BUFFER[:] = 2.0
    return np.sum(x * BUFFER)


def test_what_changes_outside_is_no_constant():
    with pytest.raises(NativeError, match="the array `BUFFER`, which changes") as refused:
        grad(changes_what_is_outside, backend="numba")(V)
    assert "BUFFER" in refused.value.origin.text


def changes_a_diagonal(x):
    m = np.ones((4, 4))
    d = np.einsum("ii->i", m)
    d[0] = -4.0
    return np.sum(m @ x)


def test_what_is_a_view_in_python_alone_is_not_changed():
    with pytest.raises(NativeError, match="a change of what einsum gives"):
        grad(changes_a_diagonal, backend="numba")(V)


def stored_over_itself(x):
    m = x * np.ones((4, 4))
    m[0] = m[:, 3]
    return np.sum(m * m)


def falls_onto_itself(x):
    m = x * np.ones((4, 4))
    m[1] = m[:, 2]
    return np.sum(m * m)


def test_stores_are_those_in_order():
    agrees(stored_over_itself, V)
    for backend in ({}, {"backend": "numba"}):
        with pytest.raises(ValueError, match="the two sides of a store overlap"):
            grad(falls_onto_itself, **backend)(V)


def adds_up_lists(x):
    total = 0.0
    for k in range(1, len(x)):
        total += sum(x[k - i] * x[i] for i in range(k)) ** 2
    return total


def written_as_a_list(x):
    return np.sum(x * [1.0, 2.0, 3.0, 4.0]) + np.inner(x, x)


def multiplied_in_place(x):
    m = np.outer(x, x)
    m @= np.outer(x, x + 1.0)
    return np.sum(m * m)


def reshaped_and_changed(x):
    m = x * np.ones((4, 4))
    flat = m.reshape(-1)
    flat[0] = flat[1] * flat[2]
    return np.sum(m**2) + np.sum(flat)


@pytest.mark.parametrize(
    "function", [adds_up_lists, written_as_a_list, multiplied_in_place, reshaped_and_changed]
)
def test_what_the_text_of_core_asks_for(function):
    agrees(function, V)


class Settings:
    steps = (2, 3)
    scale = 0.5


def asks_settings(x):
    return np.sum(x ** Settings.steps[1]) * Settings.scale


def test_numbers_of_outside_are_compared_at_each_call(monkeypatch):
    native = grad(asks_settings, backend="numba")
    np.testing.assert_allclose(native(V), 1.5 * V**2)
    monkeypatch.setattr(Settings, "scale", 2.0)
    np.testing.assert_allclose(native(V), 6.0 * V**2)
    monkeypatch.setattr(Settings, "steps", (2, 2))
    np.testing.assert_allclose(native(V), 4.0 * V)


def test_arrays_of_other_modules_are_compared_at_each_call():
    other = types.ModuleType("other")
    other.TABLE = np.array([1.0, 2.0, 3.0, 4.0])
    text = "def weighted(x):\n    return (x * TABLE).sum()\n"
    linecache.cache["<other>"] = len(text), None, text.splitlines(True), "<other>"
    exec(compile(text, "<other>", "exec"), other.__dict__)

    weighted = other.weighted

    def summed(x):
        return weighted(x)

    native = grad(summed, backend="numba")
    for first in (1.0, 5.0):
        other.TABLE[0] = first
        np.testing.assert_allclose(native(V), other.TABLE)
    other.TABLE = np.ones(4)
    np.testing.assert_allclose(native(V), other.TABLE)


def changes_its_argument(u, c):
    u[1:] *= c
    return u * c


def test_the_value_leaves_the_arguments_as_they_are():
    u = V.copy()
    value, pullback = Derivative(changes_its_argument, "vjp", (0, 1))(u, 2.0)
    native = Derivative(changes_its_argument, "vjp", (0, 1), False, {"backend": "numba"})
    ours, ours_pullback = native(u, 2.0)
    np.testing.assert_array_equal(u, V)
    np.testing.assert_allclose(ours, value)
    for one, other in zip(ours_pullback(V), pullback(V)):
        np.testing.assert_allclose(one, other, rtol=1e-13)
    with pytest.raises(ValueError, match="shape"):
        ours_pullback(np.ones(3))
    assert dict(native.stages())["native"] in native.source

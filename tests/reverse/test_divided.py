"""Helpers that are not inlined, as the text would get too long: called as pairs of functions."""

from dataclasses import replace
from types import FunctionType

import numpy as np
import pytest

from autodiff import grad, hessian, jvp, value_and_grad
from autodiff.errors import AutodiffError
from autodiff.pipeline import divided
from tests.language.test_language import CASES, check, ids
from tests.reverse import settings

pytestmark = pytest.mark.usefixtures("old_way")


def series(x, weights):
    total = 0.0
    for w in weights:
        total = total * x + w
    return total


def enthalpy(T, P):
    t, p = T / 300.0, P / 1e5
    low = series(t, (0.2, 1.5, 2.0)) + series(p, (0.1, 0.3, 0.7, 1.0)) * t
    return low * np.log(t) + series(p * t, (0.02, 0.01, 0.3))


def newton(residual, x, args, slope=None, steps=8):
    has_slope = slope == True  # noqa: E712 (as SciPy's and fluids' solvers ask for it)
    for _ in range(steps):
        if has_slope:
            value, d = residual(x, *args)
        else:
            value = residual(x, *args)
            d = slope(x, *args)
        x = x - value / d
    return x


def residual_of_T(T, P, H):
    h = 1e-3
    return enthalpy(T, P) - H, (enthalpy(T + h, P) - enthalpy(T - h, P)) / (2.0 * h)


def residual_of_P(P, T, H):
    h = 1.0
    return enthalpy(T, P) - H, (enthalpy(T, P + h) - enthalpy(T, P - h)) / (2.0 * h)


def states(H):
    T = newton(residual_of_T, 320.0, (2e5, H), slope=True)
    P = newton(residual_of_P, 1.5e5, (T + 5.0, 1.1 * H), slope=True)
    return T / 300.0 + P / 1e5


def scale(v, by):
    v[0] = v[0] * by
    return np.sum(v)


def in_place(x):
    v = x * 1.0
    return scale(v, 2.0) * scale(v, 3.0) * scale(v, x[1])


def of_two_lengths(x):
    return series(x, (1.0, 2.0)) + series(x, (1.0, 2.0, 3.0)) + series(x, (1.0, 2.0, 3.0, 4.0))


def scaled_by_setting(x):
    return x * settings.SCALE


def between(x):
    y = scaled_by_setting(x)
    settings.rescale()
    return y * scaled_by_setting(x)


def shifted(u, w):
    return u[1:] * w - u[:-1]


def of_two_ranks(x):
    a = shifted(x, 2.0)
    b = shifted(np.outer(x, x), x)
    return np.sum(shifted(a, x[1:-1])) + np.sum(b * b) + np.sum(shifted(x * x, 3.0))


X = np.array([0.4, 1.2, 0.7, 0.9])


def fresh(function):
    """The function for which nothing was compiled yet."""
    return FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__,
        function.__closure__,
    )  # fmt: skip


@pytest.fixture
def always(monkeypatch):
    """Divide whatever can be."""
    monkeypatch.setattr(divided, "LARGEST", -1)
    monkeypatch.setattr(divided, "FEWEST", 1)
    monkeypatch.setattr(divided, "WORTH", -1)


def slope(function, x):
    if not np.ndim(x):
        return (function(x + 1e-4) - function(x - 1e-4)) / 2e-4
    return np.array([slope(lambda s, e=e: function(x + s * e), 0.0) for e in np.eye(len(x))])


@pytest.mark.parametrize(
    ("function", "x"),
    [(states, 7.0), (of_two_lengths, 0.7), (in_place, X), (of_two_ranks, X)],
)
def test_the_derivatives_agree(function, x, always):
    own = fresh(function)
    value, gradient = value_and_grad(own)(x)
    assert value == pytest.approx(function(x))
    np.testing.assert_allclose(gradient, slope(function, x), rtol=1e-5)
    _, tangent = jvp(own, (x,), (np.ones_like(x),))
    assert tangent == pytest.approx(np.sum(gradient))
    if function is not states:
        second = hessian(own)(x)
        np.testing.assert_allclose(second, slope(grad(fresh(function)), x), rtol=1e-5, atol=1e-6)


def defined(function, *point):
    text = grad(fresh(function)).source_for(*point)
    return [line.split("(")[0][4:] for line in text.splitlines() if line.startswith("def ")]


def test_each_function_is_there_once(monkeypatch):
    monkeypatch.setattr(divided, "LARGEST", 60)
    monkeypatch.setattr(divided, "WORTH", 10)
    assert defined(states, 7.0) == ["enthalpy_vjp", "states_grad"]  # series, newton are short


def test_what_is_short_is_inlined():
    assert defined(states, 7.0) == ["states_grad"]


def test_one_text_for_kinds_that_make_no_difference(always):
    assert defined(of_two_lengths, 0.7) == ["series_vjp", "of_two_lengths_grad"]


def test_options_are_constants(always):
    text = grad(fresh(states)).source_for(7.0)
    assert "has_slope" not in text and "slope(" not in text


def test_what_cannot_stand_alone_is_inlined_after_all(always):
    assert defined(in_place, X) == ["in_place_grad"]


def test_a_global_that_is_rebound_between_the_calls(always):
    with pytest.raises(AutodiffError, match="rebinds"):
        grad(fresh(between))(1.5)


MADE_BY_CORE = frozenset(
    ("derivatives_of_closures.jacobian_and_hessian", "derivatives_of_methods.of_several_sweeps")
)
"""Derivatives inside that Core alone makes, which these tests do not ask."""


@pytest.mark.heavy
@pytest.mark.parametrize("case", CASES, ids=ids)
def test_the_corpus(case, always):
    entry, index = case
    own = entry.function
    if isinstance(own, FunctionType):
        entry = replace(entry, function=fresh(own))
        entry.function.__kwdefaults__ = own.__kwdefaults__
    try:
        check(entry, entry.points[index], False)
    except AutodiffError:
        if not entry.refusable and entry.name not in MADE_BY_CORE:
            raise

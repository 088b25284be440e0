"""What raises an error whatever the arguments are, on every path: the derivative raises it, too."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from autodiff import grad, value_and_grad, vjp
from autodiff.pipeline import assembly

X, W, B = np.array([0.5, 1.2, 0.8]), np.ones(3), np.ones(4)
LATER: dict[str, float] = {}


@pytest.fixture(autouse=True)
def checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assembly, "CHECKED", True)


def key(x):
    d = {"a": x[0]}
    d["b"]
    return x[0]


def item(x):
    [1, 2][7]
    return x[0]


def item_of_a_tuple(x):
    return (x[0], x[1])[2]


def name(x):
    return x[0] * nowhere_defined  # type: ignore[name-defined] # noqa: F821


def attribute(x):
    y = x.nothing
    return x[0]


def attribute_of_a_helper(x):
    def helper(y):
        return y.nothing

    return x[0] + helper(x)


def texts(x):
    "a" + 1
    return x[0]


def none(x):
    y = None + x[1]
    return x[0]


def formatted(x):
    "%d" % "a"
    return x[0]


def length(x):
    len(3)
    return x[0]


def after_effects(x):
    y = x * 2.0
    y[0] = x[1]
    total = [y[0]]
    total[3] = y[1]
    return np.sum(y) + total[0]


def too_few(x):
    a, b, c = x[0], x[1]
    return a * b


def objects_too_many(x):
    a, b = Three(x[0])
    return a * b


class Three:
    def __init__(self, k):
        self.k = k

    def __iter__(self):
        for j in range(3):
            yield self.k * j


@pytest.mark.parametrize(
    "function",
    [
        *(key, item, item_of_a_tuple, name, attribute, attribute_of_a_helper, texts, none),
        *(formatted, length, after_effects, too_few, objects_too_many),
    ],
    ids=lambda own: own.__name__,
)
def test_raised(function):
    with pytest.raises((LookupError, TypeError, ValueError, NameError, AttributeError)) as error:
        function(X.copy())
    for asked in (grad(function), value_and_grad(function), lambda x: vjp(function, x)):
        with pytest.raises(error.type):
            asked(X.copy())


def test_until_it_is_there(monkeypatch):
    def function(x):
        return x[0] * LATER["k"] + x[1] * defined_later  # type: ignore[name-defined] # noqa: F821

    derivative = grad(function)
    with pytest.raises(KeyError):
        derivative(X)
    monkeypatch.setitem(LATER, "k", 3.0)
    with pytest.raises(NameError, match="defined_later"):
        derivative(X)
    monkeypatch.setitem(function.__globals__, "defined_later", 2.0)
    np.testing.assert_allclose(derivative(X), [3.0, 2.0, 0.0])


def with_a_module(x):
    try:
        import autodiff_of_later as later
    except ImportError:
        return x * x
    return x * later.FACTOR


def test_a_module_that_is_not_there(monkeypatch, tmp_path):
    derivative = grad(with_a_module)
    assert derivative(1.5) == 3.0
    (tmp_path / "autodiff_of_later.py").write_text("FACTOR = 7.0")
    monkeypatch.syspath_prepend(tmp_path)
    assert with_a_module(1.5) == 10.5
    assert derivative(1.5) == 7.0


def test_a_name_that_is_tried(monkeypatch):
    def function(x):
        try:
            return x[0] * tried_later  # type: ignore[name-defined] # noqa: F821
        except NameError:
            return x[0] ** 2

    derivative = grad(function)
    np.testing.assert_allclose(derivative(X), [1.0, 0.0, 0.0])
    monkeypatch.setitem(function.__globals__, "tried_later", 5.0)
    np.testing.assert_allclose(derivative(X), [5.0, 0.0, 0.0])


@pytest.mark.parametrize(
    "function",
    [
        lambda w, b: np.sum(w + b),
        lambda w, b: np.sum(w - b) * 2,
        lambda w, b: np.mean(w / b),
        lambda w, b: np.sum(np.where(w > 0, w, b)),
        lambda w, b: np.sum(w * 2 + np.exp(b)),
        lambda w, b: np.sum(w) + np.sum(np.add(w, b)),
        lambda w, b: sum(w + b),
        lambda w, b: (w + b).mean() * b[0],
        lambda w, b: np.interp(0.5, w, b),
        lambda w, b: np.average(w, weights=b),
    ],
)
@pytest.mark.parametrize("wrt", ["w", "b", ("w", "b")], ids=str)
def test_lengths_that_do_not_fit(function, wrt):
    for derivative in (grad(function, wrt=wrt), value_and_grad(function, wrt=wrt)):
        with pytest.raises((ValueError, TypeError)):
            derivative(copy.copy(W), copy.copy(B))


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda x: np.summ(x), "np has no attribute 'summ'"),
        (lambda x: x.summ(), "has no attribute 'summ'"),
        (lambda x: Three(x[0]).kk, "'Three' object has no attribute 'kk'"),
        (lambda x: [x].first, "'list' object has no attribute 'first'"),
    ],
)
def test_what_an_object_lacks_is_said(function, said):
    with pytest.raises(AttributeError, match=said):
        grad(function)(X.copy())

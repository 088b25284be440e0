"""Arrays of other libraries: what works, works at once; what does not says what to write instead,
and that is right.
"""

from __future__ import annotations

import time

import numpy as np
import pytest

from autodiff import MissingRuleError, NonDifferentiableError, UnsupportedSyntaxError, grad
from autodiff.derivatives import cache

REFUSALS = (NonDifferentiableError, UnsupportedSyntaxError, MissingRuleError)
X = np.array([1.0, 2.0, 0.5])
W = np.array([3.0, 4.0, 5.0])


@pytest.fixture(autouse=True)
def _as_for_users(monkeypatch):
    monkeypatch.setattr(cache, "FOLLOWING", True)


def seconds(f, *args):
    begin = time.process_time()
    try:
        return f(*args), time.process_time() - begin
    except REFUSALS as error:
        return error, time.process_time() - begin


# ---- pandas -----------------------------------------------------------------------------------


def series(pd):
    s, table = pd.Series(W), pd.DataFrame({"a": W, "b": W})
    return [
        lambda x: np.sum(x * s),
        lambda x: np.sum(s * x),
        lambda x: (x * s).sum(),
        lambda x: np.sum(np.multiply(x, s)),
        lambda x: x @ s,
        lambda x: np.sum(x[:5] * table["a"]),
        lambda x: np.sum((x @ table)["b"]),
        lambda x: np.sum(x * s.to_numpy()),
        lambda x: np.sum(x * np.asarray(s)),
    ]


@pytest.mark.parametrize("k", range(9))
def test_what_pandas_gives_is_followed(k):
    f = series(pytest.importorskip("pandas"))[k]
    np.testing.assert_allclose(grad(f)(X), W)


def test_the_index_counts():
    pd = pytest.importorskip("pandas")
    s = pd.Series(W, index=[2, 1, 0])
    np.testing.assert_allclose(grad(lambda x: np.sum(x * s[[0, 1, 2]]))(X), W[::-1])
    np.testing.assert_allclose(grad(lambda x: (x * s).loc[2])(X), [3, 0, 0])


def test_not_much_of_a_library_is_read(monkeypatch):
    """The counts of statements, not of seconds: `x * s` leads through a large part of pandas."""
    pd = pytest.importorskip("pandas")
    s = pd.Series(W)
    from autodiff.lower.statement import statements

    lowered, own = [], statements.Statements.statement
    monkeypatch.setattr(
        statements.Statements, "statement", lambda *given: (lowered.append(1), own(*given))[1]
    )
    grad(lambda x: np.sum(x * s))(X)
    assert len(lowered) < 4 * statements._WALKED


@pytest.mark.parametrize("make", ["DataFrame", "Series"])
def test_pandas_is_no_argument(make):
    pd = pytest.importorskip("pandas")
    d = getattr(pd, make)(W)
    f = lambda d: np.sum(d * d)
    error, took = seconds(grad(f), d)
    assert took < 2
    assert isinstance(error, NonDifferentiableError)
    assert error.cure == "pass its numbers: d.to_numpy()"
    np.testing.assert_allclose(grad(f)(d.to_numpy()), 2 * d.to_numpy())


# ---- xarray -----------------------------------------------------------------------------------


def test_what_xarray_gives_is_followed():
    there = pytest.importorskip("xarray").DataArray(W, dims="t")
    for f in (
        lambda x: float(np.sum(x * there)),
        lambda x: float((there * x).sum()),
        lambda x: np.sum((x * there).to_numpy()),
        lambda x: np.sum(x * there.to_numpy()),
    ):
        np.testing.assert_allclose(grad(f)(X), W)
    with pytest.raises(NonDifferentiableError) as caught:
        grad(lambda x: (x * there).sum())(X)
    assert caught.value.cure == "return the number in it, float(...)"


# ---- PyTorch, JAX -----------------------------------------------------------------------------


def foreign(name):
    if name == "torch":
        return pytest.importorskip("torch").tensor(W)
    return pytest.importorskip("jax.numpy").asarray(W)


@pytest.mark.parametrize("name", ["torch", "jax"])
def test_a_foreign_constant_is_named(name):
    there = foreign(name)
    for f in (lambda x: np.sum(x * there), lambda x: np.sum(there * x)):
        error, took = seconds(grad(f), X)
        assert took < 2
        assert isinstance(error, UnsupportedSyntaxError)
        assert error.what.startswith("`there` is of the class ")
        assert error.cure.startswith("write np.asarray(there) in its place")
    np.testing.assert_allclose(grad(lambda x: np.sum(x * np.asarray(there)))(X), there, rtol=1e-6)


def test_a_method_of_a_foreign_array_is_named():
    there = foreign("jax")
    error, took = seconds(grad(lambda x: x[0] * there[1]), X)
    assert took < 3  # of which its own code takes a part
    assert isinstance(error, MissingRuleError)
    assert error.cure.endswith("the array of NumPy with the same numbers, np.asarray(...)")
    np.testing.assert_allclose(grad(lambda x: x[0] * np.asarray(there)[1])(X), [4, 0, 0])


@pytest.mark.parametrize("name", ["torch", "jax"])
def test_a_foreign_argument_is_named(name):
    there = foreign(name)
    f = lambda x, d: np.sum(x * d)
    error, took = seconds(grad(f), X, there)
    assert took < 2
    assert isinstance(error, UnsupportedSyntaxError)
    assert "np.asarray(d)" in error.cure
    np.testing.assert_allclose(grad(f)(X, np.asarray(there)), there, rtol=1e-6)
    error, took = seconds(grad(f, "d"), X, there)
    assert took < 2
    assert isinstance(error, NonDifferentiableError)
    assert error.cure == "pass its numbers: np.asarray(d)"
    np.testing.assert_allclose(grad(f, "d")(X, np.asarray(there)), X, rtol=1e-6)

"""`vmap` gives what a loop over the examples gives, or says what does not fit."""

from __future__ import annotations

import pickle
from collections import OrderedDict, namedtuple
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from autodiff import (
    AutodiffError,
    OptionError,
    UnsupportedSyntaxError,
    check_grads,
    grad,
    hvp,
    jacobian,
    jvp,
    linearize,
    value_and_grad,
    vjp,
    vmap,
)
from autodiff.structure import pieces
from autodiff.transforms import vmapped
from autodiff.transforms.many_directions import at_once

RNG = np.random.default_rng(0)
W, X, Y = RNG.standard_normal((3, 2)), RNG.standard_normal((5, 3)), RNG.standard_normal((5, 2))


def loss(w, x, y):
    return np.sum((np.tanh(x @ w) - y) ** 2)


def test_gradients_of_all_examples():
    found = vmap(grad(loss), in_axes=(None, 0, 0))(W, X, Y)
    assert found.shape == (5, 3, 2)
    for own, x, y in zip(found, X, Y):
        np.testing.assert_array_equal(own, grad(loss)(W, x, y))
    # the Jacobian of all losses is made by other code
    np.testing.assert_allclose(found, jacobian(losses)(W, X, Y))


def losses(w, x, y):
    return np.sum((np.tanh(x @ w) - y) ** 2, axis=1)


def test_values_and_gradients():
    values, gradients = vmap(value_and_grad(loss, wrt=(0, 1)), in_axes=(None, 0, 0))(W, X, Y)
    np.testing.assert_allclose(values, losses(W, X, Y))
    assert [own.shape for own in gradients] == [(5, 3, 2), (5, 3)]
    np.testing.assert_allclose(gradients[0].sum(axis=0), grad(loss)(W, X, Y))


@dataclass
class Layer:
    weights: Any
    bias: Any
    name: str = "dense"


def of_layer(layer, x):
    return {"out": np.tanh(x @ layer.weights + layer.bias), "norm": (np.sum(x**2), None)}


def test_structures_in_and_out():
    layers = Layer(np.stack([W, 2 * W]), RNG.standard_normal((2, 2)))
    found = vmap(of_layer)(layers, X[:2])
    assert found.keys() == {"out", "norm"}
    assert found["norm"][1] is None
    np.testing.assert_allclose(found["norm"][0], np.sum(X[:2] ** 2, axis=1))
    for k, x in enumerate(X[:2]):
        own = Layer(layers.weights[k], layers.bias[k])
        np.testing.assert_array_equal(found["out"][k], of_layer(own, x)["out"])
    slopes = vmap(grad(lambda layer, x: np.sum(of_layer(layer, x)["out"])))(layers, X[:2])
    assert isinstance(slopes, Layer)
    assert slopes.weights.shape == (2, 3, 2)


@pytest.mark.parametrize(
    "in_axes",
    [
        (0, {"a": 1, "b": None}),
        [-2, {"a": -1, "b": None}],
        (np.int64(0), {"b": None, "a": 1}),
    ],
)
def test_axes_of_parts(in_axes):
    given = {"b": np.array([1.0, 2.0, 3.0]), "a": X.T}

    def f(x, parts):
        return np.sum(x * parts["a"] * parts["b"])

    expected = [f(x, {"a": a, "b": given["b"]}) for x, a in zip(X, X)]
    np.testing.assert_array_equal(vmap(f, in_axes)(X, given), expected)


def test_keywords_have_their_examples_along_the_first_axis():
    found = vmap(loss, in_axes=(None,))(W, x=X, y=Y)
    np.testing.assert_allclose(found, losses(W, X, Y))


def test_axes_of_results():
    def f(x):
        return np.outer(x, x), x.sum(), 3

    outer, total, three = vmap(f, out_axes=(-1, 0, None))(X)
    np.testing.assert_array_equal(outer, np.einsum("ki,kj->ijk", X, X))
    np.testing.assert_allclose(total, X.sum(axis=1))
    assert three == 3


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex128, np.int32, bool])
def test_dtypes_are_those_of_the_results(dtype):
    x = np.ones((4, 2), dtype)
    assert vmap(lambda own: own * own)(x).dtype == dtype
    assert vmap(lambda own: own[0])(x).dtype == dtype


def test_containers_of_python_keep_their_class():
    pair = namedtuple("pair", "x y")

    def swapped(given):
        return pair(given.y, given.x)

    for given in (SimpleNamespace(x=X, y=Y), pair(X, Y)):
        found = vmap(swapped)(given)
        assert type(found) is pair
        np.testing.assert_array_equal(found.x, Y)
    found = vmap(lambda p: p)(OrderedDict(b=X, a=[Y, None]))
    assert type(found) is OrderedDict
    assert list(found) == ["b", "a"]
    np.testing.assert_array_equal(found["a"][0], Y)


def test_rows_of_structured_arrays_and_texts_of_numpy():
    table = np.array([(1.0, 2), (3.0, 4)], [("a", float), ("b", int)])
    np.testing.assert_array_equal(vmap(lambda row: row["a"] * row["b"])(table), [2.0, 12.0])
    np.testing.assert_array_equal(vmap(lambda row: row)(table), table)
    np.testing.assert_array_equal(vmap(lambda x: x)(np.array(["a", "bc"])), ["a", "bc"])


def test_memory_maps(tmp_path):
    x = np.memmap(tmp_path / "x.bin", float, "w+", shape=(5, 3))
    x[:] = X
    found = vmap(grad(loss), in_axes=(None, 0, 0))(W, x, Y)
    np.testing.assert_array_equal(found, vmap(grad(loss), in_axes=(None, 0, 0))(W, X, Y))
    np.testing.assert_array_equal(vmap(np.sum)(x), X.sum(axis=1))


def test_series_of_pandas_are_refused():
    pandas = pytest.importorskip("pandas")
    with pytest.raises(OptionError, match="argument 0 is a Series"):
        vmap(np.sum)(pandas.Series([1.0, 2.0]))


def test_numbers_of_python_become_arrays():
    assert vmap(lambda x: 1.0)(X).dtype == float
    assert vmap(lambda x: len(x))(X).dtype == int
    found = vmap(lambda x: max(x, 0))(np.array([-1.5, 2.5]))  # an int, and a float
    np.testing.assert_array_equal(found, [0.0, 2.5])


def test_what_a_function_does_in_place_stays_inside():
    def f(w, x):
        w *= x[0]
        x[0] = 0.0
        return np.sum(w) + np.sum(x)

    w, x = W.copy(), X.copy()
    expected = [f(W.copy(), own.copy()) for own in X]
    np.testing.assert_array_equal(vmap(f, (None, 0))(w, x), expected)
    vmap(grad(f), (None, 0))(w, x)
    vmap(value_and_grad(f, wrt=(0, 1)), (None, 0))(w, x)
    np.testing.assert_array_equal(w, W)
    np.testing.assert_array_equal(x, X)


def test_a_result_that_is_used_again():
    kept = np.zeros(3)

    def f(x):
        kept[:] = 2 * x
        return kept

    np.testing.assert_array_equal(vmap(f)(X), 2 * X)


def test_many_of_many():
    outer = vmap(vmap(lambda x, y: x * y, in_axes=(None, 0)), in_axes=(0, None))
    np.testing.assert_array_equal(outer(X[:, 0], Y[:, 1]), np.outer(X[:, 0], Y[:, 1]))


def test_pushed_and_pulled():
    def f(x):
        return np.tanh(W.T @ x)

    matrix = jacobian(f)(X[0])
    directions = np.eye(3)
    pushed = vmap(lambda v: jvp(f, (X[0],), (v,))[1], out_axes=1)(directions)
    np.testing.assert_allclose(pushed, matrix)
    np.testing.assert_allclose(vmap(linearize(f, X[0])[1], out_axes=1)(directions), matrix)
    (pulled,) = vmap(vjp(f, X[0])[1])(np.eye(2))
    np.testing.assert_allclose(pulled, matrix)

    def g(x):
        return np.sum(f(x) ** 3)

    rows = vmap(hvp(g), in_axes=(None, 0))(X[0], directions)
    np.testing.assert_allclose(rows, jacobian(grad(g))(X[0]))


many_losses = vmap(loss, in_axes=(None, 0, 1))
many_slopes = vmap(grad(loss), in_axes=(None, 0, 0))
changed = vmap(lambda w, x: scaled(w, x), (None, 0), -1)


def scaled(w, x):
    w[0] *= x[0]
    return w @ w.T @ x


def test_differentiated_again():
    """It is compiled with what calls it."""

    def total(w, x, y):
        return np.sum(many_losses(w, x, y.T) ** 2)

    derivative = grad(total, trace=False)
    np.testing.assert_allclose(derivative(W, X, Y), grad(by_hand)(W, X, Y))
    check_grads(total, W, X, Y, order=2)

    def penalty(w, x, y):
        return np.sum(many_slopes(w, x, y) ** 2)

    check_grads(penalty, W, X, Y)

    def in_place(w, x):
        return changed(w, x)

    np.testing.assert_allclose(in_place(W, X), np.stack([scaled(W.copy(), x) for x in X], -1))
    check_grads(in_place, W, X)
    with pytest.raises(ValueError, match="different numbers of examples"):
        derivative(W, X, Y[1:])


def by_hand(w, x, y):
    return np.sum(losses(w, x, y) ** 2)


def test_inside_it_is_made_outside():
    with pytest.raises(UnsupportedSyntaxError, match="make it outside"):
        grad(lambda x: np.sum(vmap(np.sum)(x)), trace=False)(X)

    def structured(w, x):
        return np.sum(many_layers(Layer(w, 0.0), x)["out"])

    with pytest.raises(UnsupportedSyntaxError):
        grad(structured, trace=False)(W, X)


many_layers = vmap(of_layer, (None, 0))


WRONG = [
    (lambda: vmap(loss, in_axes="x"), OptionError, "in_axes is 'x'"),
    (lambda: vmap(loss, in_axes=(0, True)), OptionError, r"in_axes\[1\] is True"),
    (lambda: vmap(loss, out_axes=1.5), OptionError, "out_axes is 1.5"),
    (lambda: vmap(3.0), OptionError, "takes a function, not 3.0"),
    (lambda: vmap(loss, (0, 0))(W, X, Y), OptionError, "2 entries for 3 positional"),
    (lambda: vmap(loss, None)(W, X, Y), OptionError, "no axis to go along"),
    (lambda: vmap(loss)(W, X, Y), AutodiffError, "argument 0 has 3 examples, argument 1 has 5"),
    (lambda: vmap(np.sum, 2)(X), OptionError, r"argument 0 has no axis 2: .* of shape \(5, 3\)"),
    (lambda: vmap(np.sum)(2.0), OptionError, "argument 0 has no axis 0: it is a float"),
    (lambda: vmap(np.sum)([1.0, 2.0]), OptionError, r"argument 0\[0\] has no axis 0"),
    (lambda: vmap(loss, (None,))(W, x=X, y=Y[1:]), AutodiffError, "argument y has 4"),
    (lambda: vmap(np.sum, ({"a": 0},))(X), OptionError, "not have the structure of argument 0"),
    (lambda: vmap(np.sum)(np.ma.array(X)), OptionError, "argument 0 is a MaskedArray"),
    (lambda: vmap(np.sum)({"a": np.ma.array(X)}), OptionError, r"argument 0\['a'\] is a Masked"),
    (lambda: vmap(np.ma.array)(X), OptionError, "the result is a MaskedArray"),
    (lambda: vmap(np.sum)(X[:0]), AutodiffError, "argument 0 holds no example"),
    (lambda: vmap(np.sum, out_axes=(0, 0))(X), OptionError, "the structure of the result"),
    (lambda: vmap(np.sum, out_axes=1)(X), OptionError, "cannot have the examples along axis 1"),
    (lambda: vmap(np.sum, out_axes=None)(X), OptionError, "not the same for all examples"),
    (lambda: vmap(lambda n: np.ones(n))(np.arange(3)), AutodiffError, "example 1 gives another"),
    (lambda: vmap(lambda x: [x] * int(x))(np.arange(3.0)), AutodiffError, "a list of 0 items"),
    (lambda: vmap(lambda x: None if x else x)(np.arange(2.0)), AutodiffError, "None here"),
    (lambda: vmap(lambda x: "ab"[int(x)])(np.arange(2.0)), AutodiffError, "'a' there, 'b' here"),
    (lambda: vmap(lambda x: {"ab"[int(x)]: x})(np.arange(2.0)), AutodiffError, "example 1"),
]


@pytest.mark.parametrize(("call", "error", "message"), WRONG)
def test_what_does_not_fit_is_said(call, error, message):
    with pytest.raises(error, match=message) as found:
        call()
    assert found.value.cure


def test_an_error_of_the_function_is_its_own():
    with pytest.raises(ZeroDivisionError):
        vmap(lambda x: 1 // int(x))(np.arange(2.0))


def test_it_keeps_its_name_and_is_pickled():
    many = vmap(loss, in_axes=(None, 0, 0))
    assert many.__name__ == "loss"
    assert "loss" in repr(many)
    again = pickle.loads(pickle.dumps(many))
    np.testing.assert_array_equal(again(W, X, Y), many(W, X, Y))


def test_jax_means_the_same():
    jax = pytest.importorskip("jax")

    def f(w, parts):
        return {"a": (w * parts["x"]).sum(0), "b": parts["y"][0]}

    parts = {"x": X.astype(np.float32), "y": np.ones((4, 5), np.float32)}
    w = np.arange(3, dtype=np.float32)
    for in_axes in ((None, {"x": 0, "y": 1}), [None, {"x": -2, "y": -1}]):
        for out_axes in (0, {"a": 0, "b": -1}):
            ours = vmap(f, in_axes, out_axes)(w, parts)
            theirs = jax.vmap(f, in_axes, out_axes)(w, parts)
            for key, own in theirs.items():
                np.testing.assert_allclose(ours[key], own, rtol=1e-5)
                assert ours[key].dtype == own.dtype


def steps(state):
    x, weights = state["x"], state["weights"]
    for _ in range(4):
        x = x + 0.1 * np.sin(weights @ x)
    return {"x": x, "norm": np.sum(x**2)}


def energy(x, scale, y=1.0):
    return scale * np.sum(np.tanh(x) ** 2) * np.sum(y**2)


AT_ONCE = [
    lambda: vmap(linearize(steps, {"x": X[0], "weights": W @ W.T})[1])(
        {"x": X[:2], "weights": np.random.default_rng(1).standard_normal((2, 3, 3))}
    ),
    lambda: vmap(linearize(tanh, X[0])[1], 1, 1)(np.eye(3)),
    lambda: vmap(linearize(tanh, X[0].astype(np.float32))[1])(np.eye(3)),
    lambda: vmap(linearize(tanh, 0.5)[1])(np.arange(3.0)),
    lambda: vmap(hvp(energy), (None, None, 0))(X[0], 2.0, np.eye(3)),
    lambda: vmap(hvp(energy, wrt="y"), (None, None, None, 0))(X[0], 2.0, Y[0], np.eye(2)),
    lambda: vmap(hvp(energy, wrt=(0, 2)), (None, None, None, (0, 1)))(
        X[0], 2.0, Y[0], (np.ones((4, 3)), np.ones((2, 4)))
    ),
]


def tanh(x):
    return np.tanh(x)


@pytest.mark.parametrize("call", AT_ONCE)
def test_directions_are_taken_at_once(call, monkeypatch):
    taken = []

    def spied(*args):
        taken.append(at_once(*args))
        return taken[-1]

    monkeypatch.setattr(vmapped, "at_once", spied)
    found = call()
    assert taken[0] is not None
    monkeypatch.setattr(vmapped, "at_once", lambda *_: None)
    expected = call()
    pairs = list(zip(pieces(found), pieces(expected)))
    assert pairs
    for (path, own), (again, other) in pairs:
        assert path == again
        assert own.dtype == other.dtype
        np.testing.assert_allclose(own, other, rtol=1e-6)


def with_integer(x):
    return x**2, len(x)


@pytest.mark.parametrize(
    "call",
    [
        lambda: vmap(linearize(with_integer, X[0])[1])(np.eye(3)),
        lambda: vmap(hvp(energy), (0, None, 0))(X, 2.0, X),
        lambda: vmap(hvp(energy), (0, None, None))(X, 2.0, X[0]),
    ],
)
def test_what_is_not_directions_alone_is_a_loop(call, monkeypatch):
    found = call()
    monkeypatch.setattr(vmapped, "at_once", lambda *_: None)
    for (_, own), (_, other) in zip(pieces(found), pieces(call())):
        np.testing.assert_array_equal(own, other)


def test_directions_that_do_not_fit():
    with pytest.raises(AutodiffError, match="the seed does not fit"):
        vmap(linearize(tanh, X[0])[1])(np.eye(4))
    with pytest.raises(OptionError, match="axis 1"):
        vmap(linearize(tanh, 0.5)[1], out_axes=1)(np.arange(3.0))


def test_its_source_is_that_of_the_derivative_it_wraps():
    slopes = vmap(grad(lambda x: np.sum(np.sin(x))))
    slopes(np.ones((3, 2)))
    assert slopes.source == slopes.f.source
    assert vmap(slopes).source == slopes.source
    with pytest.raises(AutodiffError, match="has no source of its own"):
        vmap(np.sum).source  # noqa: B018

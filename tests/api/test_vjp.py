"""vjp and its pullback."""

import functools
from copy import deepcopy
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest
from numpy.testing import assert_allclose

from autodiff import AutodiffError, NonDifferentiableError, grad, hessian, vjp


def scaled(a, x):
    return a * x


def test_one_adjoint_per_primal():
    value, pullback = vjp(scaled, 2.0, np.array([1.0, 3.0]))
    assert_allclose(value, [2.0, 6.0])
    for seed in (np.array([1.0, 10.0]), [1, 10], np.array([1, 10])):
        a_bar, x_bar = pullback(seed)
        assert_allclose(a_bar, 31.0)
        assert_allclose(x_bar, [2.0, 20.0])
        assert x_bar.dtype == np.float64


def test_single_primal_gives_a_tuple_of_one():
    value, pullback = vjp(lambda x: x * x, 3.0)
    assert value == 9.0
    assert pullback(1) == (6.0,)
    assert pullback(2.0) == (12.0,)


def test_pullback_may_be_called_again():
    def loop(x):
        y = x
        for _ in range(3):
            y = y * x
        return y

    _, pullback = vjp(loop, 2.0)
    assert pullback(1.0) == (32.0,)
    assert pullback(2.0) == (64.0,)


def cosine_and_sine(x):
    return np.cos(x), np.sin(x)


def cosine_beside_a_view(x):
    c = np.cos(x)
    s = np.sin(x)
    return {"window": c[1:], "s": [s * 2.0]}


@pytest.mark.parametrize("function", [np.exp, np.reciprocal, cosine_and_sine, cosine_beside_a_view])
def test_value_may_be_changed_before_the_pullback_is_called(function):
    """As in `residual -= target; pullback(residual)`."""
    x = np.array([0.3, -0.7, 1.1])

    def f(x):
        return function(x)

    value, pullback = vjp(f, x)
    seed = deepcopy(value)
    (expected,) = pullback(seed)
    for array in arrays_in(value):
        array += 13.5
    (again,) = pullback(seed)
    assert_allclose(again, expected)


def arrays_in(value):
    if isinstance(value, np.ndarray):
        return [value]
    parts = value.values() if isinstance(value, dict) else value
    return [array for part in parts for array in arrays_in(part)]


def array_of_each_iteration(x):
    s = x
    for k in range(3):
        y = s * 2.0
        s = np.sin(y) + s
        y[k] = s[0]
        s = s + y * y
    return s


def window_of_each_iteration(x):
    s = x
    for _ in range(2):
        y = np.zeros((2, 3))
        row = y[0]
        row += x + s
        s = np.sin(row)
        row *= s
        s = s + row * y[0]
    return s


@pytest.mark.parametrize("function", [array_of_each_iteration, window_of_each_iteration])
def test_what_comes_from_the_tape_is_put_back_in_copies(function):
    _, pullback = vjp(function, np.array([0.3, -0.7, 1.1]))
    (first,) = pullback(np.ones(3))
    for _ in range(2):
        assert_allclose(*pullback(np.ones(3)), first)


def rows_made_from_the_last(x):
    h = np.ones((3, 2)) * x
    for _ in range(2):
        g = np.zeros((3, 2))
        g[0] = h[2]
        for t in range(2):
            g[t + 1] = np.sin(g[t]) * h[t]
        h = g
    return np.sum(h**2)


def test_adjoints_that_are_kept_before_a_loop_are_copied_with_it():
    """The adjoint of `h` from before the loop is memory that the pullback adds to."""
    x = np.array([0.7, 1.3])
    _, pullback = vjp(grad(rows_made_from_the_last), x)
    for seed in (*np.eye(2), *np.eye(2)):
        assert_allclose(pullback(seed)[0], hessian(rows_made_from_the_last)(x) @ seed)


def test_defaults_are_not_primals():
    def f(x, n=3.0):
        return x * n

    assert vjp(f, 2.0)[1](1.0) == (3.0,)


def test_starred_parameters_and_partials():
    def total(*xs):
        result = 0.0
        for x in xs:
            result = result + x * x
        return result

    value, pullback = vjp(total, 1.0, 2.0, 3.0)
    assert value == 14.0
    assert pullback(1.0) == (2.0, 4.0, 6.0)
    assert vjp(functools.partial(total, 5.0), 1.0, 2.0)[1](1.0) == (2.0, 4.0)


def test_structured_value_and_seed():
    class Pair(NamedTuple):
        first: float
        second: float

    def f(x):
        return {"double": 2.0 * x, "square": (x * x, 1)}

    value, pullback = vjp(f, 3.0)
    assert value == {"double": 6.0, "square": (9.0, 1)}
    assert pullback({"double": 1.0, "square": (1.0, 0)}) == (8.0,)
    assert pullback({"double": 1.0, "square": None}) == (2.0,)


def test_has_aux():
    value, pullback, aux = vjp(lambda x: (x * x, "aux"), 3.0, has_aux=True)
    assert (value, aux) == (9.0, "aux")
    assert pullback(1.0) == (6.0,)


@pytest.mark.parametrize(
    "seed", [1.0, np.ones(3), np.ones((2, 1)), (1.0, 2.0, 3.0), "12", float, np.ones(2) * 1j]
)
def test_seed_that_does_not_fit_is_refused(seed):
    _, pullback = vjp(scaled, 2.0, np.ones(2))
    with pytest.raises(AutodiffError, match="the value is an array of float64 of shape"):
        pullback(seed)


def test_seed_is_converted_to_the_dtype_of_the_value():
    _, pullback = vjp(lambda x: x * 2, np.ones(2, np.float32))
    assert pullback(np.ones(2))[0].dtype == np.float32


def test_integer_primal_is_refused():
    with pytest.raises(NonDifferentiableError, match="a is an int"):
        vjp(scaled, 2, 3.0)


def test_repr_says_what_seed_fits():
    _, pullback = vjp(scaled, 2.0, np.ones(2))
    assert repr(pullback) == "<pullback for a seed like an array of float64 of shape (2,)>"


def test_batches_of_seeds():
    def f(a, x):
        return {"y": a * x, "z": a * a, "label": "text"}

    value, pullback = vjp(f, 2.0, np.array([1.0, 3.0]))
    seeds = {"y": np.array([[1.0, 0.0], [0.0, 1.0], [1, 1]]), "z": [0, 0, 10], "label": None}
    a_bars, x_bars = pullback.batch(seeds)
    assert_allclose(a_bars, [1.0, 3.0, 44.0])
    assert_allclose(x_bars, [[2.0, 0.0], [0.0, 2.0], [2.0, 2.0]])
    for k in range(3):
        a_bar, x_bar = pullback({"y": seeds["y"][k], "z": seeds["z"][k], "label": None})
        assert (a_bar, *x_bar) == (a_bars[k], *x_bars[k])
    a_bars, x_bars = pullback.batch({"y": np.zeros((0, 2)), "z": [], "label": None})
    assert a_bars.shape == (0,) and x_bars.shape == (0, 2)


@dataclass
class Reading:
    level: float
    count: int
    label: str


def test_batches_for_integers_and_objects():
    """Integers in a value have seeds like all numbers; None is zero."""
    value, pullback = vjp(lambda x: {"y": (x * x, 3), "z": x, "n": 2}, 3.0)
    seeds = {"y": ([1.0, 2.0], [0, 0]), "z": np.array([0, 1]), "n": [5, 5]}
    assert_allclose(pullback.batch(seeds)[0], [6.0, 13.0])
    assert_allclose(pullback.batch({"y": None, "z": [1.0, 2.0, 3.0], "n": [0] * 3})[0], [1, 2, 3])
    _, pullback = vjp(lambda x: Reading(x * x, 1, "text"), 3.0)
    for count in ([0, 0], 0):
        assert_allclose(pullback.batch(Reading([1.0, 2.0], count, "text"))[0], [6.0, 12.0])
    _, pullback = vjp(lambda x: 1 if x > 0 else x, 3.0)
    assert_allclose(pullback.batch([1.0, 2.0])[0], [0.0, 0.0])


def test_batches_that_do_not_fit_are_refused():
    _, pullback = vjp(lambda a, x: (a * x, a), 2.0, np.ones(2))
    with pytest.raises(AutodiffError, match="not equally long"):
        pullback.batch((np.ones((3, 2)), np.ones(2)))
    for seeds in ((np.ones(2), 1.0), (np.ones((3, 1)), np.ones(3)), None, {"y": 1}, 1.0):
        with pytest.raises(AutodiffError, match="fit the value"):
            pullback.batch(seeds)
    for seeds in ((np.ones((3, 2)),), (np.ones((3, 2)), np.ones(3), np.ones(3))):
        with pytest.raises(AutodiffError, match="fit the value"):
            pullback.batch(seeds)

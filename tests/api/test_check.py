"""check_grads accepts right derivatives and refuses wrong ones."""

import numpy as np
import pytest

from autodiff import (
    AutodiffError,
    NonDifferentiableError,
    adjoint,
    check_grads,
    d,
    grad,
    stop_gradient,
)


def test_right_derivatives_pass():
    check_grads(lambda x: x * x, 3.0)
    check_grads(lambda x, y: np.sum(np.sin(x) * y), np.array([1.0, -2.0]), 3.0)
    check_grads(lambda x: np.sum(np.abs(x)), np.array([1.0, -2.0]))
    check_grads(lambda x: np.exp(x), np.ones(3, np.float32))
    check_grads(lambda p: {"y": p["a"] * p["n"]}, {"a": 2.0, "n": 3})
    check_grads(lambda x, n: x**n, 3.0, 2)
    check_grads(lambda x: np.log(x), 1e-6)
    check_grads(lambda x: np.sin(x), 1e5)
    check_grads(lambda z: z * z, 1.0 + 2.0j)
    check_grads(lambda *xs: xs[0] * xs[1], 2.0, 3.0)


def wrong(x):
    return np.sin(x)


@adjoint(wrong)
def wrong_rule(y, x):
    d[x] = d[y] * np.cos(x) * (1 + 1e-5)


def no_complex(x):
    return float(x) ** 2


@adjoint(no_complex)
def no_complex_rule(y, x):
    d[x] = d[y] * x * 2.0001


def test_wrong_rule_is_found_and_the_argument_named():
    message = r"with respect to x along a random direction: .* by the pullback, .* by complex step"
    with pytest.raises(AssertionError, match=message):
        check_grads(lambda a, x: a * wrong(x), 2.0, 0.3)
    with pytest.raises(AssertionError, match="central differences"):
        check_grads(lambda x: no_complex(x), 2.0)


def test_kinks_and_jumps_are_not_passed_over():
    with pytest.raises(AssertionError, match="by the pullback"):
        check_grads(lambda x: 3.0 * x if x > 1.0 else x + 2.0, 1.0)
    with pytest.raises(AssertionError, match="do not settle"):
        check_grads(lambda x: x if x > 1.0 else 0.0 * x, 1.0)


def test_what_cannot_be_checked():
    with pytest.raises(NonDifferentiableError, match="no argument holds a float"):
        check_grads(lambda n: 2.0 * n, 3)
    with pytest.raises(AutodiffError, match="order 3"):
        check_grads(lambda x: x * x, 3.0, order=3)


def crooked(x):
    return np.sin(x)


@adjoint(crooked)
def crooked_rule(y, x):
    """Right where it is checked first, but its own slope is not that of the cosine."""
    d[x] = d[y] * stop_gradient(np.cos(x))


def test_second_derivatives():
    check_grads(lambda x: x**3, 3.0, order=2)
    check_grads(lambda a, x: np.sum(np.sin(a * x) ** 2), 0.7, np.array([1.0, -2.0]), order=2)
    check_grads(lambda x: crooked(x), 0.4)
    with pytest.raises(AssertionError, match=r"second derivative .* with respect to x"):
        check_grads(lambda x: crooked(x), 0.4, order=2)
    with pytest.raises(NonDifferentiableError):
        check_grads(lambda x: x * x, np.ones(2), order=2)


def test_arguments_are_left_alone():
    x = np.array([1.0, 2.0])
    check_grads(lambda x: np.sum(x * x), x)
    np.testing.assert_array_equal(x, [1.0, 2.0])


def helper(v, w):
    u = v.copy()
    u[1:] = u[1:] * v[:-1]
    return u + wrong(w) * 2.0


class Model:
    def __init__(self, x):
        self.x = x

    def step(self):
        self.x = helper(self.x, self.x)


def run(p):
    model = Model(p["x"])
    for _ in range(2):
        model.step()
    return {"r": np.cos(model.x), "s": np.sum(p["y"])}


def late(x):
    total = 0.0
    for k in range(3):
        if k == 2:
            total += crooked(x[k]) * np.exp(x[0])
    return total


def test_the_first_wrong_statement_is_named():
    with pytest.raises(AssertionError, match="pullback") as found:
        check_grads(run, {"x": np.array([0.3, 0.4]), "y": np.ones(2)})
    text = str(found.value)
    assert "the first statement whose own derivative disagrees" in text
    assert "return u + wrong(w) * 2.0\n               ^^^^^^^^" in text
    with pytest.raises(AssertionError, match="second derivative") as found:
        check_grads(late, np.array([0.3, 0.4, 0.5]), order=2)
    assert "total += crooked(x[k]) * np.exp(x[0])" in str(found.value)
    with pytest.raises(AssertionError, match="pullback") as found:
        check_grads(grad(late), np.array([0.3, 0.4, 0.5]))
    assert "^^^^^^^^^^^^^" in str(found.value)


def test_where_no_statement_is_wrong_that_is_said():
    with pytest.raises(AssertionError, match="each of its statements agrees"):
        check_grads(lambda x: 3.0 * x if x > 1.0 else x + 2.0, 1.0)

"""Functions of any number of arguments, with respect to one of them."""

import functools
import pickle

import numpy as np
import pytest

from autodiff import AutodiffError, grad, hessian, jacobian, value_and_grad


def product(*xs):
    return xs[0] * xs[1] ** 2


def named(**p):
    return p["a"] * p["b"] ** 2


def both(x, y=5.0, *xs, s=1.0, **p):
    return x * xs[0] ** 2 * s * p["b"] * y


def logged(f):
    @functools.wraps(f)
    def inner(*args, **keywords):
        return f(*args, **keywords)

    return inner


@logged
def wrapped(x, y=2.0, *, z=1.0):
    return x * y**2 * z


@grad
@logged
def decorated(x, y=3.0):
    return x * y


class Model:
    k = 3.0

    @grad
    @logged
    def slope(self, x, y=1.0):
        return self.k * x**2 * y

    @logged
    def value(self, x, y=1.0):
        return self.k * x**2 * y


@pytest.mark.parametrize(
    ("f", "wrt", "args", "keywords", "expected"),
    [
        (product, 0, (2.0, 3.0), {}, 9.0),
        (product, 1, (2.0, 3.0, "more"), {}, 12.0),
        (product, (1, 0), (2.0, 3.0), {}, (12.0, 9.0)),
        (product, "xs", (2.0, 3.0), {}, (9.0, 12.0)),
        (lambda *a: a[0] * a[1], 1, (2.0, 3.0), {}, 2.0),
        (named, "b", (), {"a": 2.0, "b": 3.0}, 12.0),
        (named, ("b", "a"), (), {"a": 2.0, "b": 3.0}, (12.0, 9.0)),
        (both, 2, (1.0, 2.0, 3.0), {"b": 4.0}, 48.0),
        (both, ("x", 2, "b"), (1.0, 2.0, 3.0), {"b": 4.0, "s": 2.0}, (144.0, 96.0, 36.0)),
        (both, "b", (1.0, 2.0, 3.0), {"b": 4.0, "c": 1.0}, 18.0),
        (wrapped, 0, (3.0,), {}, 4.0),
        (wrapped, "y", (3.0,), {}, 12.0),
        (wrapped, ("z", -1), (3.0,), {"y": 3.0, "z": 2.0}, (27.0, 36.0)),
    ],
)
def test_with_respect_to_one_of_any_number(f, wrt, args, keywords, expected):
    assert grad(f, wrt)(*args, **keywords) == expected


def test_all_transformations_take_them():
    assert value_and_grad(product, 1)(2.0, 3.0) == (18.0, 12.0)
    assert hessian(product, 1)(2.0, 3.0) == 4.0
    assert grad(grad(product, 1), 1)(2.0, 3.0) == 4.0
    assert jacobian(wrapped, "y")(np.ones(2), 3.0).tolist() == [6.0, 6.0]


def test_as_decorators_and_methods():
    assert decorated(2.0) == 3.0
    assert Model().slope(2.0) == Model.slope(Model(), 2.0) == 12.0
    assert grad(Model.value, "y")(Model(), 2.0) == 12.0
    assert pickle.loads(pickle.dumps(grad(product, 1)))(2.0, 3.0) == 12.0


def test_what_it_shows():
    derivative = grad(wrapped, "y")
    derivative(3.0)
    assert derivative.source.startswith("def wrapped_grad(x, y, *, z):")
    assert "Gradient of wrapped (test_spread.py:" in derivative.source
    assert repr(derivative).startswith("<grad of wrapped (test_spread.py:")


@pytest.mark.parametrize("wrt", [1, -2, "not a name", ("b", 1)])
def test_what_is_not_there(wrt):
    with pytest.raises(AutodiffError, match="has no parameter"):
        grad(lambda x, **p: x, wrt)
    with pytest.raises(AutodiffError, match="has no parameter"):
        grad(lambda *xs: xs[0], "b")


@pytest.mark.parametrize("wrt", ["z", 2, -3])
def test_what_is_not_there_of_a_function_that_is_wrapped(wrt):
    """What `inspect.signature` says is asked, not what the wrapper may be given."""

    def inside(x, y=1.0):
        return x * y

    @functools.wraps(inside)
    def outside(*args, **keywords):
        return inside(*args, **keywords)

    with pytest.raises(AutodiffError, match="its parameters are: x, y"):
        grad(outside, wrt)
    assert grad(outside, "y")(2.0) == grad(outside, 1)(2.0, 3.0) == 2.0


def test_too_few_arguments():
    with pytest.raises(TypeError, match="xs_1"):
        grad(product, 1)(2.0)
    with pytest.raises(TypeError, match="'b'"):
        grad(named, "b")(a=2.0)

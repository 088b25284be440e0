"""Derivatives can be pickled where their primals can."""

import copy
import functools
import pickle
import subprocess
import sys

import pytest

from autodiff import elementwise_grad, grad, value_and_grad


def square(x):
    return x * x


@grad
def decorated(x):
    return x * x * x


sibling = value_and_grad(decorated.primal)


class Model:
    def __init__(self, a):
        self.a = a

    @grad
    def gradient(self, x):
        return self.a * x * x

    def value(self, x):
        return self.a * x


def test_derivative_of_an_importable_function():
    found = pickle.loads(pickle.dumps(grad(square, ("x",))))
    assert found(3.0) == (6.0,)
    assert repr(found) == "<grad of square with respect to x>"
    assert type(pickle.loads(pickle.dumps(elementwise_grad(square)))) is type(
        elementwise_grad(square)
    )


def test_decorated_function_is_found_by_name():
    assert pickle.loads(pickle.dumps(decorated)) is decorated
    assert copy.deepcopy(decorated) is decorated
    assert pickle.loads(pickle.dumps(sibling))(2.0) == (8.0, 12.0)


def test_methods():
    model = Model(2.0)
    assert pickle.loads(pickle.dumps(Model.gradient)) is Model.gradient
    assert pickle.loads(pickle.dumps(model.gradient))(3.0) == 12.0
    assert pickle.loads(pickle.dumps(grad(model.value)))(3.0) == 2.0


def test_partials():
    assert pickle.loads(pickle.dumps(grad(functools.partial(square, x=2.0), "x")))() == 4.0


def test_local_functions_cannot_be_pickled():
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(grad(lambda x: x))


def test_in_another_process(root):
    text = pickle.dumps(decorated).hex()
    code = f"import pickle; print(pickle.loads(bytes.fromhex('{text}'))(2.0))"
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "12.0"

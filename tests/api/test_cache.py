"""When a derivative is compiled, and when again."""

import functools
import gc
import threading
import weakref

import numpy as np
import pytest

from autodiff import grad, hvp, value_and_grad
from autodiff.pipeline import compiler


@pytest.fixture
def compilations(monkeypatch):
    """The requests that were compiled during a test."""
    requests = []
    compile = compiler.compile

    def counting(function, request, **ways):
        requests.append(request)
        return compile(function, request, **ways)

    monkeypatch.setattr(compiler, "compile", counting)
    return requests


def test_compiled_once_per_kinds(compilations):
    derivative = grad(lambda x: x * x)
    for value in (1.0, 2.0, 3.0):
        assert derivative(value) == 2 * value
    assert len(compilations) == 1
    derivative(np.float32(1.0))
    assert len(compilations) == 2


def test_arrays_of_other_sizes_share_code(compilations):
    derivative = grad(lambda x: np.sum(x * x))
    for size in (4, 5, 9):
        np.testing.assert_allclose(derivative(np.ones(size)), 2.0 * np.ones(size))
    assert len(compilations) == 1
    for size in (2, 3, 2, 3):  # a slice of so few elements may broadcast
        np.testing.assert_allclose(derivative(np.ones(size)), 2.0 * np.ones(size))
    assert len(compilations) == 3
    derivative(np.ones((5, 5)))
    assert len(compilations) == 4


def test_derivatives_of_one_function_share_code(compilations):
    def f(x):
        return x * x

    assert grad(f)(3.0) == grad(f)(3.0) == grad(f, "x")(3.0) == 6.0
    assert len(compilations) == 1
    assert value_and_grad(f)(3.0) == (9.0, 6.0)
    assert grad(f, ("x",))(3.0) == (6.0,)
    assert len(compilations) == 3


def test_new_code_is_compiled_anew():
    def f(x):
        return x * x

    def g(x):
        return x * x * x

    derivative = grad(f)
    assert derivative(2.0) == 4.0
    f.__code__ = g.__code__
    assert derivative(2.0) == 12.0


def helper(x):
    return 2.0 * x


def other(x):
    return 5.0 * x


def uses_helper(x):
    return helper(x)


def test_rebound_helper_is_noticed(monkeypatch):
    derivative = grad(uses_helper)
    assert derivative(1.0) == 2.0
    monkeypatch.setitem(globals(), "helper", other)
    assert derivative(1.0) == 5.0
    assert grad(uses_helper)(1.0) == 5.0
    monkeypatch.undo()
    assert derivative(1.0) == 2.0


class Model:
    scale = 2.0

    def __init__(self, k):
        self.k = k

    @classmethod
    def scaled(cls, x, power=1.0):
        return cls.scale * x * x * power

    def step(self, x, power=1.0):
        return self.k * x * x * power


held = Model(1.0)
bound = held.step
partially = functools.partial(bound, power=3.0)
FROM_OUTSIDE = {
    "class": lambda x: np.sum(Model.scaled(x)),
    "instance": lambda x: np.sum(held.scaled(x)),
    "mapped": lambda x: np.sum(list(map(Model.scaled, [x]))[0]),
    "method": lambda x: np.sum(bound(x)),
    "partial": lambda x: np.sum(partially(x)) / 3.0,
}


@pytest.mark.parametrize("name", FROM_OUTSIDE)
def test_what_each_access_binds_anew_is_compiled_once(name, compilations, monkeypatch):
    derivative = grad(FROM_OUTSIDE[name])
    owner, attribute = (held, "k") if name in ("method", "partial") else (Model, "scale")
    for value in (2.0, 3.0):
        monkeypatch.setattr(owner, attribute, value)
        assert derivative(2.0) == derivative(2.0) == 4.0 * value
    assert len(compilations) == 1
    monkeypatch.setattr(owner, attribute, np.array([1.0, 2.0]))  # of another kind
    assert derivative(2.0) == derivative(2.0) == 12.0
    assert len(compilations) == 2


@pytest.mark.parametrize(
    ("name", "function"),
    [("class", Model.scaled.__func__), ("mapped", Model.scaled.__func__), ("method", Model.step)],
)
def test_new_defaults_of_bound_functions_are_noticed(name, function, monkeypatch):
    derivative = grad(FROM_OUTSIDE[name])
    before = derivative(2.0)
    monkeypatch.setattr(function, "__defaults__", (2.0,))
    assert derivative(2.0) == 2.0 * before


def test_another_function_of_the_class_is_noticed(monkeypatch, compilations):
    derivative = grad(FROM_OUTSIDE["class"])
    assert derivative(2.0) == 8.0
    monkeypatch.setattr(Model, "scaled", classmethod(lambda cls, x: cls.scale * x))
    assert derivative(2.0) == derivative(2.0) == 2.0
    assert len(compilations) == 2


def applied(x, f):
    return np.sum(f(x))


def applied_first(x, functions):
    return np.sum(functions[0](x))


@pytest.mark.parametrize("function", [applied, applied_first])
def test_methods_that_are_passed_are_compiled_once(function, compilations):
    def wrapped(method):
        return method if function is applied else [method]

    derivative, model = grad(function), Model(1.0)
    for k in (1.0, 2.0, 3.0):
        model.k = k
        assert derivative(2.0, wrapped(model.step)) == 4.0 * k
    assert len(compilations) == 1
    model.k = np.array([1.0, 2.0])
    assert derivative(2.0, wrapped(model.step)) == 12.0
    assert derivative(2.0, wrapped(Model(5.0).step)) == 20.0  # of another object
    assert derivative(2.0, wrapped(model.scaled)) == 8.0
    assert len(compilations) == 4


def test_threads_compile_once_and_agree(compilations):
    derivative = grad(lambda x: x * x * x)
    results = []
    barrier = threading.Barrier(8)

    def work():
        barrier.wait()
        results.append(derivative(2.0))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [12.0] * 8
    assert len(compilations) == 1


def test_memo_is_bounded(monkeypatch):
    monkeypatch.setattr("autodiff.derivatives.derivative.LIMIT", 4)
    derivative = grad(lambda x: np.sum(x * x))
    for size in range(1, 12):
        np.testing.assert_allclose(derivative(np.ones(size)), 2.0 * np.ones(size))
    assert len(derivative._memo) <= 4


RATE = 3.0


def rated(x, k):
    return np.sum(RATE * x**k)


def test_products_are_remembered_as_long_as_they_hold(monkeypatch, compilations):
    product = hvp(rated)
    v = np.ones(2)
    for _ in range(3):
        np.testing.assert_allclose(product(v, 3, v), 18.0 * v)
    assert len(compilations) == 1  # the tangent of the gradient
    np.testing.assert_allclose(product(np.float32([2.0, 1.0]), 2, v[:2]), 6.0 * v)
    np.testing.assert_allclose(product(v, 3.0, v), 18.0 * v)
    np.testing.assert_allclose(product(v, k=2, *(v,)), 6.0 * v)
    monkeypatch.setattr("tests.api.test_cache.RATE", 5.0)
    np.testing.assert_allclose(product(v, 3, v), 30.0 * v)
    monkeypatch.setattr(rated, "__code__", (lambda x, k: np.sum(x**k)).__code__)
    np.testing.assert_allclose(product(v, 3, v), 6.0 * v)


def test_what_products_remember_is_bounded(monkeypatch):
    monkeypatch.setattr("autodiff.transforms.tangents.LIMIT", 4)
    product = hvp(lambda x: np.sum(x * x))
    for size in range(1, 12):
        np.testing.assert_allclose(product(np.ones(size), np.ones(size)), 2.0 * np.ones(size))
    assert len(product._known) <= 4


def test_compiled_code_does_not_keep_its_function_alive():
    def make(scale):
        def f(x):
            return scale * x

        return f

    f = make(2.0)
    assert grad(f)(1.0) == 2.0
    gone = weakref.ref(f)
    del f
    gc.collect()
    assert gone() is None

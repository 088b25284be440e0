"""What frameworks of objects do beside computing: flags of outside, tables that are compared,
attributes that are asked for, classes that a metaclass has made.
"""

from __future__ import annotations

import builtins
import functools
from abc import ABCMeta, abstractmethod

import numpy as np
import pytest

from autodiff import grad
from autodiff.errors import AutodiffError, UnsupportedSyntaxError
from tests.core.differences import check


class Documented(ABCMeta):
    """Says how a class is made, and that alone: its objects are made as those of `type`."""

    def __new__(cls, name, bases, held):
        return super().__new__(cls, name, bases, {**held, "__doc__": "documented"})

    def __init__(cls, *given):
        super().__init__(*given)


class Model(metaclass=Documented):
    def __init__(self, rate):
        self.rate, self.loads, self.parts = rate, {}, []

    @abstractmethod
    def _value(self, x): ...

    def value(self, x):
        return self._value(x) * self.rate


class Square(Model):
    def _value(self, x):
        return x * x


def of_a_metaclass(x):
    return Square(x + 1.0).value(x) * (2.0 if type(Square(x)) is Square else 3.0)


def compared_tables(x):
    model = Square(x)
    if model.loads == {}:
        model.loads["dead"] = x
    if model.loads != {"dead": 1.0}:
        x = x * 2.0
    if model.loads == {"live": 3.0} or model.loads == {"dead": x, "live": x}:
        x = x * 7.0
    return x * model.loads["dead"]


def tables_of_objects(x):
    one, other = Square(x), Square(x)
    if {1: one, 2: other} == {2: other, 1: one}:
        x = x * 2.0
    if {1: one, 2: other} == {1: one, 2: one}:
        x = x * 3.0
    return x * one.rate


def a_table_in_a_loop(x):
    model = Square(x)
    for k in range(int(x * 3.0)):
        if model.loads == {}:
            model.loads[k] = x
        else:
            model.loads[k] = 2.0 * x
    return sum(model.loads.values()) * x


def asked_for_attributes(x):
    total = 0.0
    for each in ("Si", None, [x], (x,), {"a": 1.0}, x):
        if hasattr(each, "upper"):
            total += x
        elif hasattr(each, "append"):
            total += x * each[0]
        elif hasattr(each, "keys"):
            total += 3.0 * x
        elif hasattr(each, "count"):
            total += each[0] ** 3
        elif hasattr(each, "real"):
            total += each**4
    return total


@pytest.mark.parametrize(
    "function",
    [of_a_metaclass, compared_tables, tables_of_objects, a_table_in_a_loop, asked_for_attributes],
)
def test_frameworks(monkeypatch, function):
    check(monkeypatch, function, 1.3)


def converted(quantity, pop=False):
    def wrapper(method):
        @functools.wraps(method)
        def wrapped(*args, **named):
            if pop:
                named.pop(quantity, None)
            return method(*args, **named)

        return wrapped

    return wrapper


@converted("unit", pop=True)
def energy(x, scale=1.0):
    return x * x * scale


DOUBLE = False


def flagged(x):
    y = energy(x, unit=3, scale=3.0) + energy(x)
    return y * 2.0 if DOUBLE else y


def test_a_flag_of_outside_decides_a_branch(monkeypatch):
    check(monkeypatch, flagged, 1.3)
    derivative = grad(flagged)
    assert derivative(1.3) == pytest.approx(4.0 * 2.0 * 1.3)
    assert "else" not in derivative.source
    monkeypatch.setitem(globals(), "DOUBLE", True)
    assert derivative(1.3) == pytest.approx(2.0 * 4.0 * 2.0 * 1.3)
    check(monkeypatch, flagged, 1.3)


class Node:
    def __init__(self, model, x):
        self.model, self.x = model, x


class Graph:
    def __init__(self, x):
        self.nodes = [Node(self, x), Node(self, 2.0 * x)]


def in_a_circle(x):
    graph, found = Graph(x), []
    for node in graph.nodes:
        if node.x > 1.0:
            found.append(node)
    return sum(node.x for node in found)


def test_objects_that_hold_each_other_are_refused_as_memory():
    with pytest.raises(UnsupportedSyntaxError, match="objects that hold each other"):
        grad(in_a_circle)(1.3)


def warned(x):
    if x > 35.0:
        if "seen" not in globals():
            global seen  # noqa: PLW0603
            seen = True
        x = 35.0
    return x * x


def by_another_name(x):
    found = eval
    return found("x * x")


def by_its_module(x):
    return builtins.eval("x * x")


def in_a_function(x):
    return (lambda: eval("x * x"))()


def test_what_asks_which_function_runs_is_refused_where_it_is_met():
    assert grad(warned)(1.5) == 3.0
    with pytest.raises(AutodiffError, match="through globals"):
        grad(warned)(36.0)
    for function in (by_another_name, by_its_module, in_a_function):
        with pytest.raises(AutodiffError, match="through eval"):
            grad(function)(1.5)
    assert np.isfinite(warned(1.0))


def of_lists_and_numbers_of_numpy(x):
    v, w = [x, 2.0 * x], (x, 3.0 * x)
    shared = v / np.linalg.norm(v) - np.sum(w) + (w - np.sum(w)) * np.int64(2)
    return np.sum(shared * np.array([1.0, 3.0])) + np.sum(v ** np.float64(2.0))


def test_a_list_beside_a_number_of_numpy_is_an_array(monkeypatch):
    check(monkeypatch, of_lists_and_numbers_of_numpy, 1.3)
    with pytest.raises(TypeError, match="multiply sequence"):
        [1.0] * np.sin(1.3)
    with pytest.raises(AutodiffError):
        grad(lambda x: np.sum([x] * np.sin(x)))(1.3)


class Filter:
    def __init__(self, gain):
        self.gain, self.rate = gain, 100.0

    def checked(self):
        for name in ["gain", "rate"]:
            if isinstance(self.__getattribute__(name), bool) or getattr(self, name) <= 0.0:
                raise ValueError(f"{name} is {getattr(self, name)}")
        return self.gain**2


def names_of_attributes(x):
    total = Filter(x).checked()
    for axis in list("xyX"):
        total += x if axis.islower() else 2.0 * x
    return total * (x if "z" in list("xyz") else 1.0)


def settings_put_back(x):
    before = np.seterr(all="ignore")
    y = x * x
    np.seterr(**before)
    return y


def beyond_the_reals(x):
    v = np.emath.sqrt(np.array([x, -x]))
    message = "sum: " + str(v[0]) + " of " + repr(v)
    assert len(message) > 5, message
    w = np.emath.log(x) * np.emath.arctanh(x / 2.0) * np.emath.arcsin(x * (1.0 + 2.0j))
    return np.sum(v.imag) + np.abs(v[0]) + abs(w)


IN_C = pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) < "2.0.0", reason="Python in NumPy 1")


@pytest.mark.parametrize(
    "function",
    [names_of_attributes, pytest.param(settings_put_back, marks=IN_C), beyond_the_reals],
)
def test_checks_and_settings(monkeypatch, function):
    check(monkeypatch, function, 0.7)


def test_a_number_beyond_the_real_domain_is_refused_when_it_comes():
    derivative = grad(lambda x: np.emath.sqrt(x))
    assert derivative(0.25) == 1.0
    with pytest.raises(AutodiffError, match="beyond its real domain"):
        derivative(-1.0)

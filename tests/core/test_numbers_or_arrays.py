"""What may be a number or an array: squeezed, as an index, in a list, as a test that ends a loop
(`kinds/exemplar.py`, `lower/expression/places_found.py`); paths that are left out.
"""

from __future__ import annotations

import numbers

import numpy as np
import pytest

from autodiff import grad
from tests.core.judge import MODES, judge

Y = np.arange(5.0)
X = np.arange(12.0).reshape(4, 3)
X[:, 1] = 1.0


def either(x):
    return np.array([x, 2 * x]) if x > 2.0 else x


def one_is_left(x):
    w = (Y * x)[Y * x > 3.5].squeeze()
    return w * x if w.ndim == 0 else np.sum(w) + x


def its_first(x):
    w = np.squeeze((Y * x)[Y * x > 3.5])
    return w[0] * x if np.ndim(w) == 1 else np.sum(w) + x * x


def constant_column():
    return np.where(np.max(X, axis=0) == np.min(X, axis=0))[0].squeeze()


def by_its_place(x):
    k = constant_column()
    if X[:, k].mean() > 0.5:
        return x * x * X[0, 2]
    return x


def by_some_place(x):
    for k in np.where(np.max(X, axis=0) >= 9.0)[0].squeeze():
        if X[:, k].mean() == 6.5:
            return x * x * int(k)
    return x


def left_by_a_test(x):
    y, n = either(x), 0
    for _ in range(6):
        y = y * x
        if np.max(y) > 3:
            break
        n += 1
    return np.sum(y) * n + x


def in_a_list(x):
    v = []
    for k in range(4):
        v.append(either(x) * k + x * x)
    a = np.array(v)
    return np.sum(a * np.sin(a)) + sum(v)[0] if x > 2.0 else np.mean(a) * np.sum(v)


def as_an_array(x):
    y = (Y * x).__array__()
    y[0] = x
    return np.sum(y * Y.__array__(np.float64)) * y[0]


FUNCTIONS = [one_is_left, its_first, by_its_place, by_some_place, as_an_array]


@pytest.mark.parametrize("function", [*FUNCTIONS, in_a_list])
def test_right(function):
    points = [(1.0,), (1.3,), (2.3,)]
    assert judge(function, points, ("x",), (*MODES, "jvp")).what == "right"


def asked_for_its_class(x):
    y = either(x) * x
    if isinstance(y, np.ndarray) and y.size == 2 and y.ndim != 0:
        return np.sum(y * y)
    return y * y * y if isinstance(y, (float, numbers.Real)) else x


def words(x):
    total = x
    for word in [f"{k}" for k in range(3)]:
        total = total * (2.0 if isinstance(word, str) else x)
    return total


@pytest.mark.parametrize("function", [asked_for_its_class, words])
def test_classes_are_asked_when_it_runs(function):
    assert judge(function, [(1.3,), (2.3,)], ("x",), (*MODES, "jvp")).what == "right"


def written_through(x):
    c = X * 1.0
    c[:, constant_column()][0] = 7.0
    return x * np.sum(c) + x * x


def with_a_derivative(x):
    return np.sum((X * x)[:, constant_column()])


@pytest.mark.parametrize("function", [written_through, with_a_derivative, left_by_a_test])
def test_never_wrong(function):
    assert judge(function, [(1.3,)], ("x",), (*MODES, "jvp")).what in ("right", "not yet")


class Record:
    def __init__(self, x):
        self.a, self.b = x, x * x
        self.k = None if x > 1.0 else x * 3.0


def taken_from_the_attributes(x):
    record, other = Record(x), Record(2 * x)
    other.__dict__.update(record.__dict__)
    y = record.__dict__.pop("a")
    return y * record.b * (1.0 if other.__dict__["k"] is None else other.k)


class Holder:
    def __init__(self, x, **given):
        record = Record(x)
        record.__dict__.update(given)
        for key in given:
            if key in ["formula", "missing"]:
                continue
            try:
                setattr(self, key, record.__dict__.pop(key))
            except KeyError:
                pass
        self.record = record


def handed_on_by_name(x):
    holder = Holder(x, offset=2 * x, exposure=None, missing="none")
    return holder.record.b * holder.offset * (holder.record.k or 1.0)


@pytest.mark.parametrize("function", [taken_from_the_attributes, handed_on_by_name])
def test_attributes_of_which_one_differs_by_path(function):
    points = [(0.7,), (1.3,)]
    assert judge(function, points, ("x",), (*MODES, "jvp")).what == "right"


def lists_of_anything(x, n):
    values = []
    if n > 2:
        for k in range(n):
            values.append(x if k else "k")
        return np.array(values)[0]
    return x * x


def test_a_path_is_left_out_that_no_loop_around_mends():
    assert grad(lists_of_anything)(3.0, 1) == 6.0

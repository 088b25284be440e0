"""Starred arguments and items of a number found when it runs; dicts and iterators taken apart."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from autodiff import AutodiffError, grad
from tests.core.differences import check
from tests.core.judge import core_alone

X = np.array([0.5, 0.8, 1.3])


def total(first, *rest, weight=1.0):
    found = first * weight
    for r in rest:
        found = found * r + r * weight**2
    return found


def two(a, b):
    return a * b**2


def squares(*values):
    for value in values:
        yield value * value


class Scaled:
    def __init__(self, s):
        self.s = s

    def of(self, first, *rest):
        return self.s * first * sum(rest)

    def __call__(self, *given):
        return self.s * given[0]


def some(x):
    y = x[x > 0.4]
    return total(*y) * total(x[0], *y, weight=0.5)


def as_many_as_there_are(x):
    y = x[x > 0.6]
    return two(*y) + two(x[0], *y[1:])


def several(x):
    y = x[x > 0.6]
    return total(*y, x[0], *x) * (lambda *v, k: v[1] * len(v) * k)(*y, *y, k=2.0)


def rows(x):
    m = np.outer(x, x)[x > 0.6]
    sums = two(*[np.sum(row) for row in m])
    return sums + np.sum(two(*m)) + np.sum((lambda a, *r: a * r[0])(*m))


def of_a_list_that_grows(x):
    y, found = [], 0.0
    for v in x:
        y.append(v)
        found = found + total(*y)
    return found


def on_one_path(x):
    y, found = x[x > 0.4], 0.0
    for k in range(3):
        found = found + (total(*y) * x[k] if x[k] > 0.7 else total(*x))
    return found


def methods_and_generators(x):
    y = x[x > 0.4]
    c = Scaled(x[0])
    return c.of(*y) * c(*y) + sum(squares(*y))


def tuples_are_copies(x):
    y = x[x > 0.6]
    t = (x[0], *y, *y)
    y[0] = 5.0
    return t[1] * t[-1] + len(t) * t[0] + sum(t)


def elements(x):
    m = np.outer(x, x)
    a, *b = m.flat
    p, q, r = x.flat
    m[0] = 0.0
    return a * sum(b) * p + q * r


def dicts(x):
    d = {"a": x[0], "b": x[1]}
    grown = {}
    for k in range(3):
        grown[float(k % 2)] = x[k]
    one, two_ = d.values()
    (_, v), *rest = d.items()
    first, *others = grown
    (key, w), (_, u) = grown.items()
    d["a"] = 1.0
    return one * two_ + v**2 + rest[0][1] + (first + x[0]) * sum(others) + (key + w) * u


def dicts_in_a_loop(x):
    found = 1.0
    for k in range(3):
        d = {"a": x[k] * found, "b": x[0]}
        (name, v), *rest = d.items()
        if x[k] > 0.6:
            first, *_ = d
            v = v * d[first] * len(name)
        found = found + v * rest[0][1]
    return found


@pytest.mark.parametrize(
    "function",
    [
        some,
        as_many_as_there_are,
        several,
        rows,
        of_a_list_that_grows,
        on_one_path,
        methods_and_generators,
        tuples_are_copies,
        elements,
        dicts,
        dicts_in_a_loop,
    ],
    ids=lambda f: f.__name__,
)
def test_as_differences(monkeypatch, function):
    check(monkeypatch, function, X)


@pytest.mark.parametrize("least", [0.1, 0.9, 9.0])
@pytest.mark.parametrize("function", [two, total], ids=lambda f: f.__name__)
def test_what_does_not_fit_is_an_error(function, least):
    def given(x):
        return function(*x[x > least])

    with core_alone():
        try:
            given(X)
        except TypeError:
            with pytest.raises(TypeError, match="argument"):
                grad(given)(X)
        else:
            grad(given)(X)


def test_no_argument_is_given_twice():
    with pytest.raises((AutodiffError, TypeError)):
        grad(lambda x: two(*x[x > 0.6], b=x[0]))(X)


def test_a_dict_whose_keys_are_found_at_run_time_is_not_taken_for_no_arguments():
    def f(x):
        n = SimpleNamespace(**dict(zip("ab", x)))
        return n.a * n.b

    with pytest.raises(AutodiffError):
        grad(f)(np.array([0.7, 1.3]))


# What is given by ** is known where its keys are --------------------------------------------------

DEFAULTS = {"scale": 2.0, "shift": 1.0}


def _scaled(x, scale=1.0, shift=0.0):
    return np.sum(x * scale + shift * x**2)


def merged_with_a_global(x):
    def inner(x, **given):
        return _scaled(x, **{**DEFAULTS, **given})

    return inner(x, shift=3.0 * x[0])


def made_of_a_global(x):
    given = dict(DEFAULTS, scale=x[0])
    given.update(shift=x[1])
    return _scaled(x, **given)


def _with(**options):
    def decorated(f):
        def inner(*args, **given):
            given = {**options, **given}
            return f(*args, **given)

        return inner

    return decorated


def by_a_decorator(x):
    return _with(scale=3.0)(_scaled)(x, shift=x[0])


@pytest.mark.parametrize("f", [merged_with_a_global, made_of_a_global, by_a_decorator])
def test_given_by_two_stars(f, monkeypatch):
    check(monkeypatch, f, np.array([0.7, 1.3, 0.4]))


def test_a_global_dict_that_changes(monkeypatch):
    derivative = grad(made_of_a_global)
    before = derivative(np.ones(2))
    monkeypatch.setitem(DEFAULTS, "more", 1.0)
    with pytest.raises((TypeError, AutodiffError)):
        derivative(np.ones(2))
    monkeypatch.delitem(DEFAULTS, "more")
    np.testing.assert_array_equal(derivative(np.ones(2)), before)

"""A slope of Python's numbers raises no error where nobody needs it (`reversal/unneeded.py`), and
what is needed is never a wrong number there.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from autodiff import grad, hessian, jvp
from tests.core.judge import MODES, judge

X = np.array([0.5, 2.5, 0.3])


def constant_on_one_path(x, c):
    k = x[0] if c else 1.0
    return math.acos(k) + x[1]


def used_on_one_path(x, c):
    k = x[0] if c else 1.0
    q = math.acos(k)
    return q if c else x[1]


def carried(x, c):
    k = 0.0
    s = 0.0
    for i in range(3):
        s = s + math.sqrt(k)
        k = x[i]
    return s


def held(x, c):
    items = [0.0]
    for i in range(2):
        items.append(x[i])
    table = {0: 0.0, 1: x[0]}
    return sum(math.sqrt(v) for v in items) + math.sqrt(table[c])


def left_out_by_a_minimum(x, c):
    k = max(min(x[1], 1.0), -1.0)
    return math.acos(k) + 3 * math.asin(np.clip(k, -1.0, 1.0)) + x[1]


def helper(k):
    r = math.sqrt(k)
    s = r * r + math.exp(r)
    s = s * math.cos(s) + s
    return s * r


def given_to_a_function(x, c):
    k = x[0] if c else 0.0
    return helper(k) + helper(x[1]) + helper(x[2])


def raised_to_a_power(x, c):
    k = x[0] if c else 0.0
    p = x[1] if c else 0.5
    return k**p + k**0.5 + k ** x[1] + pow(k, 1.5) + x[1]


def of_an_empty_list(x, c):
    k = sum(x[i] for i in range(2 if c else 0))
    return math.sqrt(k) + x[1]


PROGRAMS = [
    *(constant_on_one_path, used_on_one_path, carried, held, left_out_by_a_minimum),
    *(given_to_a_function, raised_to_a_power, of_an_empty_list),
]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("c", [True, False])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_no_error(function, c):
    assert judge(function, [(X, c)], ("x",), (*MODES, "jvp")).what == "right"


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("c", [True, False])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_second_derivatives(function, c):
    first = grad(function)
    rows = [(first(X + 1e-6 * e, c) - first(X - 1e-6 * e, c)) / 2e-6 for e in np.eye(3)]
    np.testing.assert_allclose(hessian(function)(X, c), rows, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("c", [True, False])
def test_of_numbers_of_python(c):
    x = [0.5, 2.5, 0.3]
    found = grad(constant_on_one_path)(x, c)
    np.testing.assert_allclose(found, [-c / math.sqrt(0.75), 1.0, 0.0], rtol=1e-12)
    _, dot = jvp(raised_to_a_power, (x, False), ([1.0, 2.0, 3.0], None))
    assert dot == 2.0


def test_what_is_needed_is_no_number():
    found = grad(constant_on_one_path)([1.0, 2.0, 0.0], True)
    assert math.isnan(found[0])
    assert found[1] == 1.0
    with pytest.raises(ZeroDivisionError):
        jvp(constant_on_one_path, ([1.0, 2.0, 0.0], True), ([1.0, 0.0, 0.0], None))


def each_term_of_its_own(x, c):
    y = x.copy()
    y[0] = 0.0
    z = np.where(x > 2, 0.0, x)
    return np.sum(y ** x[1]) + np.sum(y**x) + np.sum(z ** (x * 0.2))


def times_zero(x, c):
    s = x[0] * 0.0
    r = 0 * x
    r[:2] = x[:2] ** 2
    return s**0.5 + np.sum(np.sqrt(r)) + np.arccos(0.0 * x[1] + 1.0)


@pytest.mark.parametrize("function", [each_term_of_its_own, times_zero], ids=lambda f: f.__name__)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_of_arrays(function):
    assert judge(function, [(X, True)], ("x",), (*MODES, "jvp")).what == "right"

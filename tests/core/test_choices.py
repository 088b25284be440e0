"""Choices in the reverse sweep (`reversal/choices.py`), and values of branches that run once, which
need no tape (`reversal/placing.py`).
"""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import grad
from tests.core.judge import core_alone, judge

X = np.array([0.7, -0.3, 1.2])


def two_sides(x, a):
    return np.sum(np.where(a > 0.4, x * a**2, np.sin(a)))


def slope_that_is_infinite(x, a):
    return np.sum(np.where(a > 0.1, np.sqrt(np.abs(a)) * x, a * 0.0))


def numbers_chosen(x, a):
    return np.sum(np.where(a > 0.4, x, 2.0 * x * x))


def chosen_twice(x, a):
    c = a > 0.1
    return np.sum(np.where(c, np.where(a > 0.5, a * x, np.log(np.abs(a) + x)), a / x))


def chosen_by_another_shape(x, a):
    return np.sum(np.where(x > 0.1, a * x, a[0] * np.ones((3, 3))) ** 2)


def other_test_for_each(x, a):
    return np.sum(np.where(a > 0.4, a * a, 0.0) + np.where(a > 0.1, 0.0, a * x))


def overwritten_then_chosen(x, a):
    y = np.sqrt(np.abs(a)) * x
    y[a < 0.0] = 0.0
    return np.sum(np.where(a > 0.5, y * y, y))


def with_a_reduction(x, a):
    return np.sum(np.where(a > 0.4, x * (a - 0.5 * x), a))


CHOICES = (
    *(two_sides, slope_that_is_infinite, numbers_chosen, chosen_twice, chosen_by_another_shape),
    *(other_test_for_each, overwritten_then_chosen, with_a_reduction),
)


@pytest.mark.parametrize("function", CHOICES, ids=lambda f: f.__name__)
def test_adjoints_of_choices_are_right(function):
    for a in (X, np.array([0.2, 0.45, -0.6])):
        assert judge(function, [(0.7, a)], ("x", "a")).what == "right"


def test_a_choice_is_made_once():
    with core_alone():
        text = grad(two_sides, wrt="a").source_for(0.7, X)
    assert text.count("np.where(") == 1


def branch_that_names_again(x, a):
    y = x
    if x > 0.1:
        y = np.sin(y)
        y = y * y
        y = np.exp(y)
        y = y * x
    if y > 0.1:
        y = np.sin(y)
        y = y * y * y
    return y * y


def branch_in_branches(x, a):
    z = x
    if x > 0.2:
        y = np.sin(x)
        if a[0] > 0.0:
            w = np.exp(y)
            z = w * w * y
        elif x > 10.0:
            z = y
        z = z * y * z
    return z * 2.0


def array_of_a_branch_changed(x, a):
    y = x * a
    if x > 0.1:
        y = np.sin(y)
        y[0] = y[1] * y[0]
        v = y * y
        y *= v
    return np.sum(y * y)


def loop_beside_a_branch(x, a):
    s = x
    for _ in range(2):
        if x > 0.0:
            t = np.sin(s)
            s = s * t * t
    if s > -5.0:
        t = np.cos(s)
        s = t * s * t
        t = np.cos(s)
        s = t * s * t
    return s


def read_by_both(x, a):
    if x > 0.1:
        y = np.sin(x * a)
        y = y * y * y
    else:
        y = np.cos(x * a)
        y = y * y * y * a
    return np.sum(y)


BRANCHES = (
    *(branch_that_names_again, branch_in_branches, array_of_a_branch_changed),
    *(loop_beside_a_branch, read_by_both),
)


@pytest.mark.parametrize("function", BRANCHES, ids=lambda f: f.__name__)
def test_a_branch_that_runs_once_leaves_its_variables(function):
    for x in (0.7, -0.4, 0.15):
        assert judge(function, [(x, X)], ("x", "a")).what == "right"
    with core_alone():
        text = grad(function, wrt="x").source_for(0.7, X)
    assert text.count(".push(") == (function is loop_beside_a_branch)

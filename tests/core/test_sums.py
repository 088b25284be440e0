"""Contributions of one statement in one line (`lean/sums.py`), and what is returned
(`emit/budget.py`): long programs are no deep recursion.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from autodiff import grad
from tests.core.compile_time import function_of, straight
from tests.core.judge import core_alone, judge

A = np.array([0.5, 0.3, -0.6])


def several_terms(x, a):
    return x * math.sin(x) + math.exp(x) / (1.0 + x) - x * x * a[0] + math.cos(x) * math.tanh(x)


def twice_to_an_element(x, a):
    u = a * x
    for i in range(1, 3):
        u[i] = u[i] * u[0] - u[0] * x + u[0] * u[i - 1]
    return np.sum(u * u)


def terms_that_see_each_other(x, a):
    u = a * x
    u[0] = u[0] * x + u[1] * u[0]
    u[0] += u[0] * u[2]
    return u[0] * u[0] + u[1]


def arrays_and_numbers(x, a):
    y = a * x
    return np.sum(y * np.sin(y) - y * x + np.exp(y) * a) * x


CASES = (several_terms, twice_to_an_element, terms_that_see_each_other, arrays_and_numbers)


@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_terms_of_one_statement_are_added_together(function):
    assert judge(function, [(0.7, A)], ("x", "a")).what == "right"


def test_a_line_takes_what_fits():
    with core_alone():
        text = grad(several_terms, wrt="x").source_for(0.7, A)
    assert text.count("x_bar +=") + text.count("x_bar -=") <= 3


def test_a_long_program_is_no_deep_recursion(tmp_path: Path):
    function = function_of(straight(500), tmp_path)
    with core_alone():
        assert "v499" in grad(function, wrt="x").source_for(0.7, A)

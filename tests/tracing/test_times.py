"""Times of NumPy: one divided by a unit is a number; a number times a time is cut to whole units,
which has no derivative, and is refused.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autodiff import AutodiffError, grad, jvp
from tests.tracing.alone import followed_alone

FIRST, LAST = np.datetime64("2020-01-01"), np.datetime64("2020-01-03")
DAYS = np.arange("2020-01-01", "2020-01-05", dtype="datetime64[D]")


def by_a_unit(x):
    return x * ((LAST - FIRST) / np.timedelta64(1, "s"))


def days_as_hours(x):
    return np.sum(x * ((DAYS - DAYS[0]) / np.timedelta64(1, "h")))


def as_floats(x):
    return np.sum(x * (DAYS - DAYS[0]).astype(float))


def of_python(x):
    return x * (datetime.timedelta(days=2) / datetime.timedelta(seconds=1))


@pytest.mark.parametrize("program", [by_a_unit, days_as_hours, as_floats, of_python])
def test_units(program: Callable[..., Any]) -> None:
    slope = program(1.0)
    assert grad(program)(2.0) == jvp(program, (2.0,), (1.0,))[1] == slope
    with followed_alone():
        assert grad(program)(2.0) == slope


def of_globals(x):
    return x * (LAST - FIRST) / np.timedelta64(1, "s")


def made_inside(x):
    made = np.datetime64("2020-01-03") - np.datetime64("2020-01-01")
    return x * made / np.timedelta64(1, "s")


def of_arrays(x):
    return np.sum(x * (DAYS - DAYS[0]) / np.timedelta64(1, "h"))


def in_small_units(x):
    return np.sum(x * (DAYS - DAYS[0]).astype("timedelta64[ns]") / np.timedelta64(1, "h"))


@pytest.mark.parametrize("program", [of_globals, made_inside, of_arrays, in_small_units])
def test_cut_to_whole_units(program: Callable[..., Any]) -> None:
    for derivative in (grad(program), lambda x: jvp(program, (x,), (x,))):
        with pytest.raises(AutodiffError, match="divide by a unit first"):
            derivative(2.0)

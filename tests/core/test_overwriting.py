"""Calls that are let to overwrite what they are given: it is read in the order that they leave."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.core.judge import Verdict, judge

X = np.array([0.5, 0.7, -1.1, 0.9, 0.2])


def overwrites_what_is_new(x):
    return np.median(np.abs(x - np.median(x)), overwrite_input=True) * np.sum(x**2)


def overwrites_what_is_not_read_again(x):
    y = x * x
    m = np.median(y, overwrite_input=True)
    return m * np.sum(x)


def reads_again(x):
    y = x * x
    m = np.median(y, overwrite_input=True)
    return m * np.sum(y * np.arange(5.0))


def reads_a_part_again(x):
    y = x * x
    z = y[1:]
    m = np.median(y, overwrite_input=True)
    return m * np.sum(z)


def reads_again_in_a_loop(x):
    y = x * 1.0
    s = 0.0
    for k in range(2):
        s = s + np.quantile(y, 0.3, overwrite_input=True) ** 2
    return s


def overwrites_in_a_loop(x):
    s = 0.0
    for k in range(2):
        y = x * (k + 1.0)
        s = s + np.quantile(y, 0.3, overwrite_input=True) ** 2
    return s


def overwrites_on_each_path(x):
    y = np.abs(x)
    if x[0] > 0.3:
        m = np.median(y, overwrite_input=True)
    else:
        m = np.quantile(y, 0.3, overwrite_input=True)
    return m * np.sum(x)


def overwrites_the_argument(x):
    m = np.median(x, overwrite_input=True)
    return m * m


def does_not_overwrite(x):
    return np.median(x, overwrite_input=False) * np.sum(np.nan_to_num(x, copy=True))


def numbers_for_nans(x):
    y = x / 2.0
    y[1] = np.nan
    z = np.nan_to_num(y, copy=False)
    z[2] *= x[0]
    np.nan_to_num(y, False)
    return np.sum(y * y * z)


def reads_an_item_again(x):
    parts = [x * x]
    m = np.median(parts[0], overwrite_input=True)
    return m * parts[0][0]


def adjoint_reads_it(x):
    y = np.exp(x)
    m = np.median(y, overwrite_input=True)
    return m * m


def in_a_helper(x):
    return spoiled(x * x) * spoiled(np.exp(x)) * spoiled(x * 2.0)


def spoiled(y):
    return np.quantile(y, 0.3, overwrite_input=True)


def reads_in_a_handler(x):
    y = x * x
    try:
        m = np.median(y, overwrite_input=True)
        z = math.sqrt(-y[0])
    except ValueError:
        z = y[1]
    return m * z


def reads_in_a_handler_behind_a_loop(x):
    y = x * x
    z = 1.0
    try:
        for k in range(3):
            z = z * np.median(y[k:], overwrite_input=True)
            z = z * math.sqrt(0.5 - y[k])
    except ValueError:
        z = z * y[1] + y[3]
    return z * np.sum(y * np.arange(5.0))


def overwrites_one_of_two(x):
    y = x * x
    z = y if x[0] > 0.0 else x * 3.0
    m = np.median(z, overwrite_input=True)
    return m * np.sum(y)


def along_axes(x):
    y = np.outer(x, x + 2.0)
    p = np.percentile(y, [20, 60], axis=0, overwrite_input=True)
    q = np.quantile(y.T, 0.3, axis=1, keepdims=True, overwrite_input=True)
    m = np.nanmedian(y[::2, 1:], axis=(0, 1), overwrite_input=True)
    return np.sum(p**2) * m + np.sum(q * y)


def of_a_view_in_a_loop(x):
    y = x * 1.0
    s = 0.0
    for k in range(3):
        s = s + np.nanmedian(y[k:], overwrite_input=True)
        y[0] = y[0] * 1.5
    return s + np.sum(y * np.arange(5.0))


def sums_itself(x):
    y = x * x
    np.cumsum(y, out=y)
    y.partition(2)
    return y[0] * y[2] + np.sum(y**3)


PROGRAMS = [
    value
    for value in list(globals().values())
    if getattr(value, "__module__", "") == __name__ and value is not spoiled
]


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            own, marks=[pytest.mark.followed] * ("handler" in own.__name__), id=own.__name__
        )
        for own in PROGRAMS
    ],
)
def test_right_in_all_modes(program):
    assert judge(program, [(X,), (X[::-1] * 0.4,)], ("x",)) == Verdict("right")

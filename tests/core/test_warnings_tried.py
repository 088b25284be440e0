"""Contexts of warnings, also where a `try` takes these as errors (`statement/managers.py`)."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from autodiff import grad, jvp
from tests.core.differences import differences


class Ours(UserWarning):
    """Of which the class is named where it is ignored."""


def of_a_class(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Ours)
        warnings.filterwarnings("ignore", category=RuntimeWarning)
        return np.log(x * x) * x


def root_or_square(x):
    x = np.float64(x)
    try:
        with warnings.catch_warnings(record=True):
            warnings.simplefilter("error")
            y = np.sqrt(x - 1.0) * x
    except (ArithmeticError, RuntimeWarning):
        y = x * x
    return y * x


def one_after_the_other(x):
    v = np.array([x, 2 * x, 0.3])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            w = np.log(v - 1.0)
        w[0] = x
    except RuntimeWarning:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                w = np.log(v + 0.1) / np.sin(v)
        except ValueError:
            w = v * 3.0
    return np.sum(w * x)


def in_a_loop(x):
    v = np.array([x, 2 * x, 0.3])
    for _ in range(3):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                v = np.log(v) * v
        except RuntimeWarning:
            v = v * v * x
    return np.sum(v)


@pytest.mark.followed
@pytest.mark.parametrize("function", [of_a_class, root_or_square, one_after_the_other, in_a_loop])
def test_right(function):
    for x in (1.3, 0.4, 2.2, 0.9):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            slope = differences(function, (x,))
            got = grad(function)(x), jvp(function, (x,), (1.0,))[1]
        np.testing.assert_allclose(got, np.ravel([slope, slope]), rtol=1e-5)

"""`np.select` of lists that are known is choices between two, in double precision."""

from __future__ import annotations

import numpy as np
import pytest
from numpy import select

from autodiff import value_and_grad

X = np.array([0.5, -0.7, -2.0, 1.5])


def three(x):
    return np.sum(np.select([x > 1, x > 0], [x**3, 2 * x], default=x**2) * np.cos(x))


def logarithm_last(x):
    return np.sum(np.select([x > 1, x > 0], [x**3, -np.log(x) * x], default=2.0) * np.cos(x))


def root_as_default(x):
    return np.sum(np.select([x > 1, x < 0], [x**3, 1.0], np.sqrt(np.abs(x))) * np.cos(x))


def numbers_last(x):
    """In single precision, as NumPy finds one dtype for all; `np.where` of two numbers is not."""
    chosen = np.select([x > 1, x > 0], [x, 1.0], 0.0)
    return np.sum(np.sin(chosen * chosen * x) / 3)


def two_with_numbers(x):
    return np.sum(np.select(choicelist=(x**3, 2), condlist=(x > 1, x < -1)) * np.cos(x))


def of_other_shapes(x):
    return np.sum(np.select([x[:, None] > 1, x < -1], [x[:, None] * x, x]) * np.cos(x))


def nested(x):
    return np.sum(np.select([x > 1], [np.select([x > 1.2], [x**2], x)], np.select([x < 0], [-x])))


def of_lists(x):
    conditions = [x > 1, x > 0]
    return np.sum(np.select(conditions, [x**3, 2 * x]))


def by_its_name(x):
    return np.sum(select([x > 1, x > 0], [x**3, 2 * x]))


def in_order(x):
    """The second condition counts what came before it, which is nothing."""
    seen = []

    def noted(part):
        seen.append(1)
        return part**2

    return np.sum(np.select([x > 1, (x > 0) & (len(seen) == 0)], [noted(x), 5 * x]))


def differences(f, x):
    return np.array([(f(x + e) - f(x - e)) / 2e-6 for e in 1e-6 * np.eye(len(x))])


PROGRAMS = [three, logarithm_last, root_as_default, numbers_last, two_with_numbers, of_other_shapes]
PROGRAMS += [nested, of_lists, by_its_name, in_order]


@pytest.mark.filterwarnings("ignore:invalid value encountered in log")
@pytest.mark.parametrize("f", PROGRAMS)
def test_selected(f):
    derivative = value_and_grad(f)
    value, x_bar = derivative(X)
    assert value == f(X)
    np.testing.assert_allclose(x_bar, differences(f, X), atol=1e-8)
    code = [line for line in derivative.source.splitlines() if "#" not in line]
    assert not any("select(" in line for line in code)


@pytest.mark.filterwarnings("ignore:invalid value encountered in log")
@pytest.mark.parametrize("f", PROGRAMS)
def test_in_single_precision_numpy_finds_the_dtype(f):
    single = X.astype("float32")
    value, x_bar = value_and_grad(f)(single)
    assert value == f(single) and type(value) is type(f(single))
    assert x_bar.dtype == np.float32
    np.testing.assert_allclose(x_bar, differences(f, X), atol=1e-5)


def narrow(x):
    return np.sum(np.select([x > 1, x > 0], [np.log(x), 1.0], 0.0) * x)


@pytest.mark.filterwarnings("ignore:invalid value encountered in log")
def test_two_numbers_in_single_precision():
    single = X.astype("float32")
    value, x_bar = value_and_grad(narrow)(single)
    assert value == narrow(single) and x_bar.dtype == np.float32
    np.testing.assert_allclose(x_bar, differences(narrow, X), atol=1e-5)

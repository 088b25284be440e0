"""Functions of a library that are written in Python for us (`lower/recipes/counterparts.py`)."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial import distance

from autodiff import grad
from tests.core.judge import core_alone

X = np.array([0.2, 0.3, 0.5])


def by_name(x):
    return np.sum(distance.jensenshannon(x, np.array([0.2, 0.3, 0.5]), base=2.0))


def by_a_variable(x):
    f = distance.canberra if x[0] < 1.0 else distance.jensenshannon
    return f(x, np.zeros(3))


def of_points(x):
    return distance.canberra(x * 0.0, x * 0.0)


EXPECTED = {by_name: [0.0, 0.0, 0.0], by_a_variable: [0.0, 0.0, 0.0], of_points: [0.0, 0.0, 0.0]}


@pytest.mark.parametrize("function", EXPECTED, ids=lambda f: f.__name__)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_the_plain_function_is_read(function):
    """The library's own would divide zero by zero."""
    with core_alone(), np.errstate(all="ignore"):
        np.testing.assert_allclose(grad(function)(X), EXPECTED[function], atol=1e-15)

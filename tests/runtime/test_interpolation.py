"""What depends on a point that is NaN is NaN, as the value is."""

import numpy as np
from numpy.testing import assert_array_equal

from autodiff import grad, jvp

NODES, VALUES = np.array([0.0, 1.0, 2.0]), np.array([1.0, 3.0, 2.0])


def test_points_that_are_nan():
    def total(values, x):
        return np.sum(np.interp(x, NODES, values))

    assert_array_equal(grad(total)(VALUES, np.array([0.5, np.nan])), [0.5, np.nan, np.nan])


def test_points_inside_outside_and_nan():
    def at(values, x):
        return np.interp(x, NODES, values)

    x = np.array([0.5, np.nan, 2.0, -1.0, 3.0, np.inf, -np.inf])
    tangent = jvp(at, (VALUES, x), (np.array([1.0, 2.0, 5.0]), np.zeros(7)))[1]
    assert_array_equal(tangent, [1.5, np.nan, 5.0, 1.0, 5.0, 5.0, 1.0])

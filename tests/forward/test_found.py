"""Tangents that were wrong once, against differences."""

import numpy as np
import pytest

from autodiff import jvp

GAPS = np.array([[1.0, 2.0, -1.0], [0.5, np.nan, 3.0]])


def variance(x):
    return np.nanvar(x, axis=1, mean=np.nanmean(x, axis=1, keepdims=True))


def deviation(x):
    return np.nanstd(x, axis=1, mean=np.nanmean(x, axis=1, keepdims=True))


def polynomial(roots):
    return np.poly(roots)


@pytest.mark.parametrize(
    ("function", "x"),
    [
        (variance, GAPS),
        (deviation, GAPS),
        (polynomial, np.array([1.0 + 1j, 2.0 - 1j, 0.5])),
        (polynomial, np.array([1.0, 2.0, 0.5])),
    ],
)
def test_tangent_agrees_with_differences(function, x):
    along = np.cos(np.arange(x.size)).reshape(x.shape)
    step = 1e-6 * along
    slope = (function(x + step) - function(x - step)) / 2e-6
    np.testing.assert_allclose(jvp(function, (x,), (along,))[1], slope, rtol=1e-7, atol=1e-8)

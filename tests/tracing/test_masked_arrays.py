"""Masked arrays are followed, as the Python of `numpy.ma` says: what is masked is left out of sums
and counts, its data stay as they are; and an array is changed in place by a universal function,
which asks no operator of the class on its right.
"""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import grad, jvp

X = np.array([2.0, 3.0, 4.0, 5.0])
WEIGHTS = np.cos(X)
MASK = [False, True, False, False]
SEEN = np.ma.array(X[::-1].copy(), mask=MASK)

pytestmark = pytest.mark.followed


def masked(x):
    return np.ma.array(x, mask=MASK)


def differences(x):
    return np.sum((SEEN - x) ** 2) + np.mean(np.ma.asarray(x) * SEEN)


def counted(x):
    own = masked(x * x)
    return own.std() + own.mean() + np.sum(own.anom() ** 2) + np.ma.median(own) + own.max()


def filled(x):
    return np.sum(masked(x * x).filled(2.0) * WEIGHTS) + np.sum(masked(x).compressed() ** 3)


def products_of_data(x):
    return np.dot(masked(x * x), WEIGHTS) + np.ma.dot(masked(x * x), WEIGHTS)


def beyond_the_domain(x):
    return np.ma.log(x - 2.5).sum() + (x / np.ma.array(x - 4.0)).sum()


def stored(x):
    own = np.ma.array(x * x)
    own[2] = np.ma.masked
    own[0] = 3 * x[1]
    own += x
    return np.sum(own * WEIGHTS) + np.sum(own.data)


def rows(x):
    made = np.ma.atleast_2d(masked(x))
    kept = np.zeros((1, 4))
    kept[0] = made[0] * 3
    return np.sum(kept**2) if np.any(np.ma.getmask(made[0])) else kept[0, 0]


def changed_in_place(x):
    y = x * x
    y += masked(x)
    y *= SEEN
    return np.sum(y * WEIGHTS)


class Reluctant(np.ndarray):
    """An array whose operators say what they do not do in place."""

    def __rmul__(self, other):
        return 10.0 * np.asarray(other)


RELUCTANT = X.view(Reluctant)


def beside_operators(x):
    y = x * x
    y *= RELUCTANT
    return np.sum(y)


def named_method(x):
    mean = x.mean
    return mean() * len(mean.__name__)


@pytest.mark.parametrize(
    "program",
    [differences, counted, filled, products_of_data, beyond_the_domain, stored, rows,
     changed_in_place, beside_operators, named_method],
)  # fmt: skip
def test_as_differences_say(program):
    x = X + 0.1
    steps = 1e-6 * np.eye(4)
    slopes = [(float(program(x + h)) - float(program(x - h))) / 2e-6 for h in steps]
    np.testing.assert_allclose(grad(program)(x), slopes, rtol=1e-6, atol=1e-6)
    value, slope = jvp(program, (x,), (WEIGHTS,))
    np.testing.assert_allclose(value, program(x))
    np.testing.assert_allclose(slope, slopes @ WEIGHTS, rtol=1e-6, atol=1e-6)

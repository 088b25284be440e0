"""Arrays of objects whose elements are arrays, and ranges among the operands: both are followed."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from autodiff import grad, jvp
from tests.tracing.alone import followed_alone

X = np.array([1.1, 2.1, 3.1])
ROW = np.array([1.0, 2.0, 3.0])
WEIGHTS = np.cos(ROW)


def components(*parts):
    made = np.empty(len(parts), dtype=object)
    for k, own in enumerate(parts):
        made[k] = own
    return made


def lengths(x):
    return np.sum(np.linalg.norm(components(x, x * ROW) - [0.5, 0.2]) * WEIGHTS)


def products(x):
    own = components(x, x * ROW)
    summed = own.dot(own) + np.dot(own, components(ROW, x)) + own @ np.array([1.0, 2.0])
    return np.sum(summed * WEIGHTS)


def sums(x):
    own = components(x, x * ROW)
    return np.sum((own.sum() + np.add.reduce(own) + own.mean()) * WEIGHTS) + np.sum(np.sum(own))


def mixed(x):
    own = components(x, 2.0 * x[0])
    return np.sum((own * own)[0] * WEIGHTS) * (own**2)[1]


def ranges(x):
    found = np.sum(np.power(x[0], range(3))) + np.sum(special.spherical_jn(range(3), x[1]))
    return found + np.interp(x[0], range(4), [0.0, 1.0, 4.0, 9.0]) * np.dot(range(3), x)


@pytest.mark.followed
@pytest.mark.parametrize("program", [lengths, products, sums, mixed, ranges])
def test_as_differences_say(program):
    steps = 1e-6 * np.eye(3)
    slopes = [(program(X + h) - program(X - h)) / 2e-6 for h in steps]
    with followed_alone():
        np.testing.assert_allclose(grad(program)(X), slopes, rtol=1e-6)
        np.testing.assert_allclose(jvp(program, (X,), (ROW,))[1], slopes @ ROW, rtol=1e-6)

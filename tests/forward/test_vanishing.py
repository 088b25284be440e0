"""Tangents that are zero in places, where slopes are infinite (`tangent/vanishing.py`), and what is
zero by chance when it is differentiated again (`reversal/reopened.py`).
"""

import math

import numpy as np
import pytest

from autodiff import grad, hessian, jacfwd, jvp
from tests.core.differences import differences

X = np.array([0.5, 1.2, 0.7, 2.0])

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def cut_by_a_mask(x):
    y = x.copy()
    y[y > 1.0] = 1.0
    return np.sum(np.arccos(y))


def filled_by_a_mask(x):
    y = np.zeros(4)
    y[x > 1] = x[x > 1]
    return np.sum(np.sqrt(y))


def filled_inside(x):
    y = np.zeros(6)
    y[1:5] = x
    return np.sum(np.sqrt(y) * 2)


def of_one_path(x):
    k = x[0] if x[1] < 1 else 1.0
    return np.arccos(k) + x[0]


def chosen(x):
    return np.sum(np.arccos(np.where(x > 1, 1.0, x)))


def clipped(x):
    return np.sum(np.arccos(np.clip(x, -1.0, 1.0))) + np.sum(np.arccos(np.minimum(x, 1.0)))


def cut_in_a_loop(x):
    y = x.copy()
    for i in range(4):
        if y[i] > 1:
            y[i] = 1.0
    return np.sum(np.arccos(y))


def beside_constants(x):
    y = np.sqrt(np.abs(np.array([x[0], 0.0, x[2]])))
    z = np.sqrt(np.concatenate([x, np.zeros(2)])).reshape(2, 3)
    return np.sum(y) * x[1] + np.sum(z) + np.sum(np.sqrt(np.roll(np.append(x, 0.0), 1)))


def surrounded_by_zeros(x):
    y = np.pad(x, 1) ** 0.5 + np.insert(np.insert(x, 1, 0.0), 0, 0.0) ** 0.3
    z = np.array([max(x[0], 9.0) - 9.0, x[1]])
    return np.sum(y) + np.sum(np.sqrt(np.diag(x))) * x[2] + np.sum(np.sqrt(z))


def two_powers(x):
    y = x.copy()
    y[1] = 0.0
    return np.sum(y**1.5 + y**0.5)


def seen_in_another_form(x):
    y = x.copy()
    y[1] = 0.0
    z = 2.0 * y.reshape(2, 2)
    return np.sum(np.sqrt(z + z).T)


def one_by_one(x):
    y = x.copy()
    y[1] = 0.0
    t = 0.0
    for i in range(4):
        t += np.sqrt(y[i]) * x[i]
    return t


FIRST = (
    cut_by_a_mask,
    filled_by_a_mask,
    filled_inside,
    of_one_path,
    chosen,
    clipped,
    cut_in_a_loop,
    two_powers,
    seen_in_another_form,
    one_by_one,
    beside_constants,
    surrounded_by_zeros,
)


@pytest.mark.parametrize("f", FIRST, ids=lambda f: f.__name__)
def test_what_is_zero_stays_zero(f):
    expected = differences(f, (X,))
    np.testing.assert_allclose(grad(f)(X), expected, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(jacfwd(f)(X), expected, rtol=1e-5, atol=1e-7)
    for k, direction in enumerate(np.eye(4)):
        assert jvp(f, (X,), (direction,))[1] == pytest.approx(expected[k], rel=1e-5, abs=1e-7)


Z = np.array([0.5, 0.4, 0.0])
"""The last one, by which others are multiplied, is zero by chance."""


def root_on_one_path(x):
    r = np.sqrt(x[0])
    t = 0.0
    if x[1] < 1.0:
        t = r * x[2]
    return t


def root_of_a_number(x):
    r = math.sqrt(float(x[0]))
    t = 0.0
    if x[1] < 1.0:
        t = r * x[2]
    return t


def roots_in_a_buffer(x):
    t = np.zeros(2)
    if x[1] < 1.0:
        t[1:] = np.sqrt(x[:1]) * x[2]
    return t[1] + t[0]


def along_one_path(x):
    def inner(z):
        k = z[0] if z[1] < 1 else 1.0
        return np.arccos(k) * z[1]

    return jvp(inner, (x,), (np.array([x[2], 0.0, 0.0]),))[1]


def along_what_was_stored(x):
    def inner(z):
        k = z.copy()
        k[1] = 0.3
        return np.sum(np.arccos(k)) * z[1]

    return jvp(inner, (x,), (np.array([x[2], 0.0, 0.0]),))[1]


SECOND = (
    root_on_one_path,
    root_of_a_number,
    roots_in_a_buffer,
    along_one_path,
    along_what_was_stored,
)


@pytest.mark.parametrize("f", SECOND, ids=lambda f: f.__name__)
def test_what_is_zero_by_chance_has_a_derivative(f):
    np.testing.assert_allclose(grad(f)(Z), differences(f, (Z,)), rtol=1e-5, atol=1e-7)
    slopes = np.array([differences(lambda x, k=k: grad(f)(x)[k], (Z,)) for k in range(3)])
    assert np.any(slopes[2])
    for second in (hessian(f), jacfwd(grad(f))):
        np.testing.assert_allclose(second(Z), slopes, rtol=1e-5, atol=1e-7)

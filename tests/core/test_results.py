"""Functions that give several values, through Core: taken apart, changed, kept, put together."""

from __future__ import annotations

import math

import numpy as np
import pytest

from autodiff import jacobian
from tests.core.judge import Verdict, core_alone, judge

X = np.array([0.3, 0.6, 1.1, -0.7, 0.9, 1.6])


def unpacked(x):
    a, b = np.split(x, 2)
    return np.sum(a * b**2)


def by_index_and_whole(x):
    p = np.split(x, 3)
    return np.sum(p[0] * p[2]) + np.sum(np.concatenate(p) ** 2)


def a_part_changes(x):
    y = x * 1.0
    p = np.split(y, 2)
    p[0][1:] *= 3.0
    y[4] = y[1]
    return np.sum(p[0] * x[:3]) + np.sum(p[1] ** 2)


def parts_of_an_argument_change(x):
    p = np.split(x, 2)
    p[1] *= p[0]
    return np.sum(x**2)


def kept_in_a_loop(x):
    total = 0.0
    for i in range(3):
        u, v = np.split(x * (i + 1.0), 2)
        total += np.sum(u * v)
        x = np.concatenate([v, u])
    return total + x[0] * x[5]


def each_part_in_a_loop(x):
    total = 0.0
    for r in np.split(x, 3):
        total += r[0] * r[1]
    return total


if hasattr(np, "unstack"):  # NumPy 2.1

    def unstacked_and_stored(x):
        p, q = np.unstack(np.stack([x, x * x[1]]))
        q[0] = x[1]
        return np.sum(p * q)


def of_a_branch(x):
    u, v = np.split(x, 2)
    if x[0] > 0:
        u, v = np.split(np.concatenate([v * 2.0, u]), 2)
    return np.sum(u**3 * v)


def one_part_only(x):
    return np.sum(np.split(x, 2)[1] ** 2)


def eigenvalues(x):
    w, v = np.linalg.eigh(np.outer(x, x) + np.diag(np.arange(6.0)))
    return np.sum(w**2) + np.sum(v[0] ** 2)


def quotient_and_rest(x):
    q, r = np.divmod(x, 0.47)
    return np.sum(q * r**2)


def of_a_number(x):
    whole, rest = math.modf(2.3 * x[1])[1], math.modf(2.3 * x[1])[0]
    return whole * rest**2


def largest_and_smallest(x):
    values = [each * each for each in x]
    return max(values) - min(values) * 0.5


PROGRAMS = [
    value
    for value in list(globals().values())
    if getattr(value, "__module__", "") == __name__ and getattr(value, "__code__", None)
]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_right_in_all_modes(function):
    assert judge(function, [(X,)], ("x",)) == Verdict("right")


def test_what_is_taken_apart_at_once_gets_no_name():
    from autodiff import grad

    with core_alone():
        text = grad(unpacked).source_for(X)
    assert "    a, b = np.split(x, 2)\n" in text


def test_rows_of_a_jacobian() -> None:
    """A pullback gives a tuple, also for one argument."""
    x = np.array([0.3, -0.7, 1.1])
    with core_alone():
        found = jacobian(lambda x: 3 * x**2)(x)
    np.testing.assert_allclose(found, np.diag(6 * x))

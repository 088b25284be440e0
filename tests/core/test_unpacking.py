"""Arrays, lists and iterators of unknown length that are taken apart (`expression/places.py`)."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import grad
from tests.core.judge import Verdict, core_alone, judge

V = np.array([0.5, 0.3, -0.6])


def parts_of_an_array(x, a):
    u, v, w = a * x
    b = a[1:]
    b, c = b * u, u
    (p, q), r = b, v * c
    return u * p + v * q * w + r


def rows_are_views(x, a):
    m = np.outer(a, a) * x
    first, second, third = m
    first[0] = x * x
    second *= x
    return np.sum(m * third) + first[0] * np.sum(second)


def parts_of_what_was_made(x, a):
    u, v, w = (np.sum(a[: k + 1]) * x for k in range(len(a)))
    xs = [u]
    for k in range(2):
        xs.append(xs[-1] * a[k])
    p, *rest = [u, v, w]
    q, r, s = xs
    return p * q + r * rest[1] + s * rest[0]


def copies_of_an_array(x, a):
    b = a * x
    items = list(b)
    b[0] = 3.0
    items.append(b[0] * x)
    return sum(items) * items[0] + items[-1]


@pytest.mark.parametrize(
    "function",
    [parts_of_an_array, rows_are_views, parts_of_what_was_made, copies_of_an_array],
    ids=lambda f: f.__name__,
)
def test_right_in_all_modes(function):
    assert judge(function, [(0.7, V)], ("x", "a")) == Verdict("right")


def pair(x, n):
    u, v = np.ones(n) * x
    return u * v


def test_another_length_is_an_error():
    with core_alone():
        derivative = grad(pair)
        assert derivative(0.7, 2) == pytest.approx(1.4)
        with pytest.raises(ValueError, match="to unpack"):
            derivative(0.7, 3)

"""Programs with mutable memory that were found wrong; each leaves the xfail when it is mended."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pytest

from autodiff import value_and_grad, vjp
from autodiff.errors import UnsupportedSyntaxError
from tests.language import oracle
from tests.language.data import P3


def sine_by_position(x):
    y = np.zeros(3)
    p = np.sin(x, y)
    p += 1.0
    return np.sum(y * x)


def clip_by_position(x):
    y = np.zeros(3)
    p = np.clip(x, 0.0, 5.0, y)
    p *= x
    return np.sum(y)


def dot_by_position(x):
    y = np.zeros(3)
    p = np.dot(np.eye(3), x, y)
    p += 1.0
    return np.sum(y * x)


def dict_made_in_a_loop(x):
    x[0] = 0.7
    for v in x:
        d = {"u": x}
    return np.sum(d["u"])


def conjugate_of_a_real_array(x):
    y = x * 2.0
    v = y.conj()  # y itself
    v[0] = x[1] * x[2]
    return np.sum(y * x)


def conjugate_augmented(x):
    y = x * 2.0
    v = y.conjugate()
    v *= x
    return np.sum(y * x)


def no_difference(x):
    y = x * 2.0
    v = np.diff(y, n=0)  # y itself
    v[0] = x[1] * x[2]
    return np.sum(y * x)


def first_power(x):
    a = np.outer(x, x)
    v = np.linalg.matrix_power(a, 1)  # a itself
    v[0] = x
    return np.sum(a * a)


def type_kept_by_position(x):
    y = x * 2.0
    v = y.astype(float, "K", "unsafe", True, False)
    v[0] = x[1] * x[2]
    return np.sum(y * x)


def numbers_for_nan_by_position(x):
    y = x * 2.0
    v = np.nan_to_num(y, False)
    v[0] = x[1] * x[2]
    return np.sum(y * x)


def numbers_for_nan_in_place(x):
    y = x / np.array([1.0, 0.0, 1.0])
    np.nan_to_num(y, copy=False, posinf=1.0)
    return np.sum(y * x)


def list_made_in_a_loop(x):
    for k in range(2):
        items = [x for _ in range(2)]
    return np.sum(items[0])


def array_kept_as_it_is(x):
    y = x * 2.0
    v = np.array(y, copy=False)  # y itself
    v[0] = x[1] * x[2]
    return np.sum(y * x)


MENDED = [
    sine_by_position,
    clip_by_position,
    dot_by_position,
    dict_made_in_a_loop,
    list_made_in_a_loop,
]
REFUSED = [
    conjugate_of_a_real_array,
    conjugate_augmented,
    no_difference,
    first_power,
    type_kept_by_position,
    numbers_for_nan_by_position,
    array_kept_as_it_is,
    numbers_for_nan_in_place,
]


def check(function: Any) -> None:
    with np.errstate(all="ignore"):
        value, gradient = value_and_grad(function)(P3.copy())
        assert value == pytest.approx(function(P3.copy()), rel=1e-12)
        (wanted,) = oracle.gradients(function, (P3,), {}, (0,))
    oracle.compare(gradient, P3, wanted, 1e-6, "x")


@pytest.mark.parametrize("function", MENDED)
def test_mended(function: Any) -> None:
    check(function)


@pytest.mark.parametrize("function", REFUSED)
def test_refused_or_right(function: Any) -> None:
    with contextlib.suppress(UnsupportedSyntaxError):
        check(function)


def test_the_caller_changes_the_value() -> None:
    def products(x):
        y = x.copy()
        for _ in range(3):
            y[1:] = y[1:] * y[:-1]
        return y

    value, pullback = vjp(products, P3.copy())
    before = pullback(np.ones(3))[0]
    value[:] = 7.0
    np.testing.assert_array_equal(pullback(np.ones(3))[0], before)

"""Extrema that cancel have no adjoint; those that do not have one."""

from typing import Any

import numpy as np
import pytest

from autodiff import grad
from tests.core.judge import core_alone

X = np.array([[0.3, -1.2, 0.8], [1.1, 0.4, -0.6]])


def logsumexp(x):
    top = np.max(x)
    return top + np.log(np.sum(np.exp(x - top)))


def by_rows(x):
    top = np.max(x, axis=1, keepdims=True)
    return np.sum((top + np.log(np.sum(np.exp(x - top), axis=1, keepdims=True))) ** 2)


def by_columns(x):
    top = np.max(x, axis=0)
    return np.sum(np.sin(top + np.log(np.sum(np.exp(x - top), axis=0))))


def softmax(x):
    e = np.exp(x - x.max(axis=1)[:, None])
    return np.sum((e / e.sum(axis=1)[:, None]) ** 2)


def cross_entropy(x):
    shifted = x - np.max(x, axis=1, keepdims=True)
    return -np.sum((shifted - np.log(np.sum(np.exp(shifted), axis=1, keepdims=True)))[:, 1])


def least(x):
    low = np.min(x)
    return low - np.log(np.sum(np.exp(low - x)))


CANCEL = [logsumexp, by_rows, by_columns, softmax, cross_entropy, least]


def not_added(x):
    top = np.max(x)
    return np.log(np.sum(np.exp(x - top)))


def summed_over(x):
    top = np.max(x, axis=1, keepdims=True)
    return np.log(np.sum(np.exp(x - top))) + np.sum(top)


def added_twice(x):
    top = np.max(x)
    return 2 * top + np.log(np.sum(np.exp(x - top)))


def of_another_sign(x):
    top = np.max(x)
    return top + np.log(np.sum(np.exp(x + top)))


def beside_one(x):
    top = np.max(x)
    return top + np.log(1.0 + np.sum(np.exp(x - top)))


def scaled(x):
    top = np.max(x)
    return top + np.log(np.sum(np.exp(2.0 * (x - top))))


def given_out(x):
    top = np.max(x)
    y = top + np.log(np.sum(np.exp(x - top)))
    return y * top


def changed(x):
    top = np.max(x, axis=1)
    z = np.exp(x - top[:, None])
    top[0] = 0.5
    return np.sum(top + np.log(z.sum(axis=1)))


def in_a_loop(x):
    top, s = np.max(x), 0.0
    for i in range(2):
        s = s + np.exp(x[i, 0] - top)
    return top + np.log(s)


def of_other_axes(x):
    top = np.max(x[:, :2], axis=1)
    e = np.exp(x[:, :2] - top)
    return np.sum(np.log(e.sum(axis=0)) * top)


def in_a_branch(x):
    top = np.max(x)
    y = np.log(np.sum(np.exp(x - top)))
    if y > 0.1:
        y = y + top
    return y * 1.0


def compared(x):
    top = np.max(x)
    y = top + np.log(np.sum(np.exp(x - top)))
    return y if top > 0.5 else 2.0 * y


NEEDED = [not_added, summed_over, added_twice, of_another_sign, beside_one, scaled, given_out]
NEEDED += [changed, in_a_loop, of_other_axes, in_a_branch, compared]


def differences(function: Any, x: np.ndarray) -> np.ndarray:
    found = np.zeros_like(x)
    for k in np.ndindex(x.shape):
        step = np.zeros_like(x)
        step[k] = 1e-6
        found[k] = (function(x + step) - function(x - step)) / 2e-6
    return found


@pytest.mark.parametrize("function", CANCEL + NEEDED, ids=lambda f: f.__name__)
def test_gradient(function: Any) -> None:
    with core_alone():
        np.testing.assert_allclose(
            grad(function)(X.copy()), differences(function, X), rtol=1e-6, atol=1e-8
        )


@pytest.mark.parametrize("function", CANCEL, ids=lambda f: f.__name__)
def test_no_adjoint(function: Any) -> None:
    text = grad(function).source_for(X)
    reverse = text[text.index("# Reverse sweep") :]
    assert "top_bar" not in reverse and "==" not in reverse and "ties" not in reverse

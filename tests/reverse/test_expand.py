"""Adjoints that need no helper, no buffer or no value for the kinds at hand; and where they do."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import check_grads, grad

RNG = np.random.default_rng(0)
COLUMN, ROW = RNG.normal(size=4), RNG.normal(size=3)
STACK, OTHER, ONE = RNG.normal(size=(5, 3, 2)), RNG.normal(size=(5, 2, 4)), RNG.normal(size=(2, 4))


def outer(x, y):
    return np.sum(np.sin(x[:, None] * y[None]))


def new_axis_and_row(x, y):
    return np.sum(np.sin(x[None, 1:] * y[:, None]))


def stacked(x, y):
    return np.sum(np.sin(x @ y))


def averaged(x, y):
    return np.mean(np.sum(x * y, axis=1))


def limited(x, y):
    return np.clip(x, -1.0, 0.5) * y


@pytest.mark.parametrize(
    ("function", "arguments", "absent", "present"),
    [
        (outer, (COLUMN, ROW), ["zeros_like"], []),
        (new_axis_and_row, (COLUMN, ROW), [], ["x_bar = np.zeros_like(x)"]),
        (stacked, (STACK, OTHER), ["matmul_"], ["y.swapaxes(1, 2)"]),
        (stacked, (STACK, ONE), [], ["matmul_right"]),
        (averaged, (STACK[0], STACK[1]), ["x_times_y ="], ["len(x)"]),
        (limited, (0.3, 0.7), ["logical_and"], ["y if -1.0 <= x <= 0.5 else 0.0"]),
        (limited, (0.9, 0.7), ["logical_and"], ["y if -1.0 <= x <= 0.5 else 0.0"]),
    ],
)
def test_text_and_numbers(function, arguments, absent, present):
    text = grad(function, (0, 1)).source_for(*arguments)
    for part in absent:
        assert part not in text
    for part in present:
        assert part in text
    check_grads(function, *arguments)


@pytest.mark.parametrize("axis", [None, 0, 1, -1, (0, 1)])
def test_winners_share(axis):
    """Ties share equally, and NaN wins nothing."""

    def highest(x):
        return np.sum(np.max(x, axis=axis))

    x = np.array([[1.0, 3.0, 3.0], [3.0, 0.0, 2.0]])
    ties = (x == x.max(axis=axis, keepdims=True)).astype(float)
    shares = ties / ties.sum(axis=axis, keepdims=True)
    np.testing.assert_array_equal(grad(highest)(x), shares)
    assert not np.any(grad(highest)(np.full((2, 3), np.nan)))


def test_an_adjoint_made_of_lengths_alone_is_a_float():
    def weighed(x, a, b):
        return x * len(a) - x * len(b)

    found = grad(weighed)(0.5, [1.0, 2.0], [1.0])
    assert type(found) is float
    assert found == 1.0

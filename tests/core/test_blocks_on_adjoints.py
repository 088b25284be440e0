"""`insert_grad_of`: which values a block is about, in branches, loops, and where memory changes."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import AutodiffError, grad, insert_grad_of

X = np.array([0.7, 0.4, 1.1])


def on_a_path(x):
    u = x * 1.0
    if x[0] > 0.5:
        with insert_grad_of(u) as u_bar:
            u_bar = u_bar * 3.0
    return np.sum(u * u)


def in_a_loop(x):
    u = x * 1.0
    w = x * x
    for _ in range(2):
        w[1:] = w[:-1] * u[1:]
        with insert_grad_of(u) as u_bar:
            u_bar = u_bar * 0.5
    return np.sum(u) + 0.0 * np.sum(w)


def of_memory_that_changes(x):
    u = x * 1.0
    u[1:] = u[:-1] * 2.0
    with insert_grad_of(u) as u_bar:
        u_bar *= 3.0
    u[0] = u[1] * x[2]
    return np.sum(u)


def twice(x):
    u = x * 1.0
    with insert_grad_of(u) as one:
        one = one * 2.0
    with insert_grad_of(u) as two:
        two = two * x[1]
    return np.sum(u)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (on_a_path, 6.0 * X),
        (in_a_loop, [0.25, 0.25, 0.25]),
        (
            of_memory_that_changes,
            [3.0 * 2.0 * (1.0 + X[2]), 3.0 * 2.0, X[0] * 2.0],
        ),
        (twice, [0.8, 0.8, 0.8]),
    ],
)
def test_adjoints(function, expected):
    np.testing.assert_allclose(grad(function)(X), expected)


def by_another_name(x):
    u = x * 1.0
    w = u
    with insert_grad_of(u) as u_bar:
        u_bar *= 3.0
    w[0] = w[1]
    return np.sum(u * w)


def in_a_container(x):
    u = x * 1.0
    held = {"u": u}
    with insert_grad_of(u) as u_bar:
        u_bar *= 3.0
    held["u"][0] = 2.0 * x[1]
    return np.sum(u)


@pytest.mark.parametrize("function", [by_another_name, in_a_container])
def test_memory_that_goes_by_several_names_is_refused(function):
    with pytest.raises(AutodiffError, match="memory that goes by several names"):
        grad(function)(X)


def test_the_block_is_part_of_the_text():
    source = grad(on_a_path).source_for(X)
    assert source.startswith("def insert_u_bar(u_bar):\n    u_bar = u_bar * 3.0\n")
    assert source.count("insert_u_bar(") == 2

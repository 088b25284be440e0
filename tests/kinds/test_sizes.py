"""The least that sizes may be, and slices that broadcast only where arrays are short."""

import itertools

import numpy as np
import pytest

from autodiff import check_grads, grad
from autodiff.kinds.exemplar import result_kind
from autodiff.kinds.indexing import _least
from autodiff.kinds.kind import UNKNOWN, Array
from autodiff.kinds.size import Dim

BOUNDS = [None, *range(-4, 5)]


@pytest.mark.parametrize("step", [None, -3, -2, -1, 1, 2, 3])
def test_least_length_of_slices(step):
    for lower, upper in itertools.product(BOUNDS, BOUNDS):
        for size in range(6):
            least = _least(size, lower, upper, step)
            assert all(len(range(n)[lower:upper:step]) >= least for n in range(size, 20))


def inner(x, w):
    return np.sum(x[1:-1] * w)


def strided(x, w):
    return np.sum((x[::2] - w) ** 2)


def first(x, w):
    return np.sum((x[:2] * w) ** 2)


def halves(x, w):
    a, b = np.split(x, 2)
    return np.sum(a * b * w)


@pytest.mark.parametrize("f", [inner, strided, first, halves])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 6])
@pytest.mark.parametrize("m", [1, 2, 3, 5])
def test_slices_of_short_arrays_broadcast(f, n, m):
    rng = np.random.default_rng(n + 10 * m)
    x, w = rng.standard_normal(n), rng.standard_normal(m)
    try:
        f(x, w)
    except ValueError:
        return
    check_grads(f, x, w)


def test_slices_of_longer_arrays_do_not_broadcast():
    gradient = grad(inner, wrt=("x", "w"))
    gradient(np.ones(6), np.ones(4))
    assert "unbroadcast" not in gradient.source
    gradient(np.ones(3), np.ones(4))
    assert "unbroadcast" in gradient.source


def torque(x, y):
    return np.sum(np.cross(x, y) ** 2)


@pytest.mark.parametrize(
    "shapes", [((3,), (3,)), ((4, 3), (4, 3)), ((4, 3), (3,)), ((1, 3), (4, 3)), ((3, 3), (3, 3))]
)
def test_cross_products_of_known_rank(shapes):
    x, y = (np.random.default_rng(k).standard_normal(shape) for k, shape in enumerate(shapes))
    check_grads(torque, x, y)
    gradient = grad(torque)
    gradient(x, y)
    assert "scalar_seed" not in gradient.source


def test_sizes_are_not_equal_because_there_are_too_many():
    a, b, c, d, e, f = (Dim(own) for own in "abcdef")
    stacks = Array("float64", (a, b, c)), Array("float64", (d, e, f))
    assert result_kind(np.linalg.solve, stacks) in (Array("float64", (None,) * 3), UNKNOWN)
    assert result_kind(np.matmul, stacks).shape != (a, a, a)

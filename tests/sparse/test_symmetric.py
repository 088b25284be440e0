"""Symmetric matrices by star colouring: every entry is read, and few sweeps are taken."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from autodiff import custom, hessian, sparse_hessian
from autodiff.sparsity.colouring import colouring
from autodiff.sparsity.pattern import Pattern
from autodiff.sparsity.star_colouring import star_colouring

N = 40
TRIDIAGONAL = np.eye(N, dtype=bool) | np.eye(N, k=1, dtype=bool)
ARROW = np.eye(N, dtype=bool) | (np.arange(N) == 0)
LAST = TRIDIAGONAL | (np.arange(N) == N - 1)
LINE = np.eye(7, dtype=bool) | np.eye(7, k=1, dtype=bool)
GRID = np.kron(LINE, np.eye(7, dtype=bool)) | np.kron(np.eye(7, dtype=bool), LINE)
CASES = {
    "tridiagonal": (TRIDIAGONAL, 3, 3),
    "arrow-head": (ARROW, 2, N),
    "banded arrow-head": (LAST, 4, N),
    "grid": (GRID, 6, 7),
    "nothing": (np.zeros((3, 3), bool), 1, 1),
}


def both_sides(half):
    return half | half.T


def pattern_of(full):
    starts = np.concatenate([[0], np.cumsum(np.sum(full, axis=1))])
    return Pattern(full.shape, starts, np.nonzero(full)[1], symmetric=True)


def recovered(pattern, matrix):
    """The matrix from its products with the sums of the columns of one colour."""
    colours = pattern.stars[0] if pattern.stars else pattern.colours[1]
    products = matrix @ (colours[:, None] == np.arange(pattern.sweeps))
    at = pattern.stars[1:] if pattern.stars else (pattern.rows, colours[pattern.columns])
    return pattern.filled(products[at]).toarray()


@pytest.mark.parametrize("name", CASES)
def test_number_of_colours(name):
    half, stars, columns = CASES[name]
    full = both_sides(half)
    where = np.nonzero(full)
    assert star_colouring(*where, len(full)).max() + 1 == stars
    assert colouring(*where, full.shape).max() + 1 == columns
    assert pattern_of(full).sweeps == (stars if stars + 1 < columns else columns)


@pytest.mark.parametrize("name", CASES)
def test_symmetric_matrices_are_recovered_exactly(name):
    full = both_sides(CASES[name][0])
    values = np.arange(1.0, full.size + 1).reshape(full.shape)  # sums of whole numbers are exact
    matrix = np.where(full, values + values.T, 0.0)
    assert np.array_equal(recovered(pattern_of(full), matrix), matrix)


@pytest.mark.parametrize("seed", range(100))
def test_random_symmetric_patterns(seed):
    rng = np.random.default_rng(seed)
    n = rng.integers(2, 25)
    full = both_sides(rng.random((n, n)) < rng.uniform(0.01, 0.3))
    rows, columns = np.nonzero(full)
    colours = star_colouring(rows, columns, n)
    count = full.astype(int) @ (colours[:, None] == np.arange(n)).astype(int)
    alone = count[rows, colours[columns]] == 1
    mirrored = count[columns, colours[rows]] == 1
    assert np.all(alone | mirrored)
    matrix = np.where(full, rng.integers(-99, 99, (n, n)).astype(float), 0.0)
    assert np.array_equal(recovered(pattern_of(full), matrix + matrix.T), matrix + matrix.T)


def test_columns_that_are_only_on_one_side_of_the_pattern():
    full = both_sides(ARROW)
    full[3, 0] = False
    matrix = np.where(full & full.T, 2.0, 0.0)
    assert np.array_equal(recovered(pattern_of(full), matrix), matrix)


def coupled(x):
    return np.sum(x[0] * x[1:] ** 2) + np.sum(np.sin(x[1:-1]) * x[2:]) + np.sum(x**4)


def test_hessian_with_a_dense_row():
    x = np.linspace(0.1, 1.0, 60)
    hess = sparse_hessian(coupled)
    assert_allclose(hess(x).toarray(), hessian(coupled)(x), rtol=1e-13, atol=1e-14)
    assert hess.pattern.sweeps == 4 and hess.pattern.colours[1].max() + 1 == 60
    assert_allclose(hess(2 * x).toarray(), hessian(coupled)(2 * x), rtol=1e-13, atol=1e-14)


def unlike_vjp(y_bar, y, x):
    return y_bar * np.concatenate([[np.sum(x**2)], 3.0 * x[0] * x[1:]])


@custom(vjp=unlike_vjp)
def unlike(x):
    return np.sum(x[0] * x**2)


def test_derivatives_of_gradients_that_are_not_symmetric():
    def twice(x):
        return 2.0 * unlike(x)

    x = np.linspace(0.1, 1.0, 12)
    hess = sparse_hessian(twice)
    expected = hessian(twice)(x)
    assert not np.allclose(expected, expected.T)
    for _ in range(2):
        assert_allclose(hess(x).toarray(), expected, rtol=1e-13)
        assert hess.pattern.sweeps == 12

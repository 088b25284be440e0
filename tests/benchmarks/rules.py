"""One rule each: a weighted sum of what the function gives, and the adjoint as one NumPy line.

The primal's own code is run by the peers too, with their modules under the names `np` and
`special`; so it says `axis=`, and what all of them know.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt
from typing import Any

import numpy as np
from scipy import special

from tests.benchmarks.workload import Workload

SIZES = (10, 1_000, 1_000_000)


def matmul(x, y, w):
    return np.sum(np.matmul(x, y) * w)


def matmul_by_hand(x, y, w):
    return w @ y.T, x.T @ w


def stacked_matmul(x, y, w):
    return np.sum(np.matmul(x, y) * w)


def stacked_matmul_by_hand(x, y, w):
    return w @ y.swapaxes(-1, -2), x.swapaxes(-1, -2) @ w


def matrix_times_vector(x, y, w):
    return np.sum(np.matmul(x, y) * w)


def matrix_times_vector_by_hand(x, y, w):
    return np.outer(w, y), w @ x


def einsum_rows(x, y, w):
    return np.sum(np.einsum("ij,ij->i", x, y) * w)


def einsum_rows_by_hand(x, y, w):
    return np.einsum("i,ij->ij", w, y), np.einsum("i,ij->ij", w, x)


def einsum_weights(x, y, w):
    return np.sum(np.einsum("ij,j->i", x, y) * w)


def einsum_weights_by_hand(x, y, w):
    return np.einsum("i,j->ij", w, y), np.einsum("i,ij->j", w, x)


def sum_of_columns(x, w):
    return np.sum(np.sum(x, axis=0) * w)


def sum_of_columns_by_hand(x, w):
    return np.full_like(x, w)


def sum_of_rows(x, w):
    return np.sum(np.sum(x, axis=1) * w)


def sum_of_rows_by_hand(x, w):
    return np.full_like(x, w[:, None])


def mean_of_columns(x, w):
    return np.sum(np.mean(x, axis=0) * w)


def mean_of_columns_by_hand(x, w):
    return np.full_like(x, w / len(x))


def mean_of_rows(x, w):
    return np.sum(np.mean(x, axis=1) * w)


def mean_of_rows_by_hand(x, w):
    return np.full_like(x, (w / x.shape[1])[:, None])


def largest_of_rows(x, w):
    return np.sum(np.max(x, axis=1) * w)


def largest_of_rows_by_hand(x, w):
    best = x == np.max(x, axis=1, keepdims=True)
    return best * (w / np.sum(best, axis=1))[:, None]


def deviation_of_rows(x, w):
    return np.sum(np.std(x, axis=1, correction=0) * w)


def deviation_of_rows_by_hand(x, w):
    y = np.std(x, axis=1, keepdims=True)
    return w[:, None] / np.where(y == 0, 1, y) / x.shape[1] * (x - np.mean(x, 1, keepdims=True))


def concatenation(x, y):
    return np.sum(np.concatenate((x, y)) ** 2)


def concatenation_by_hand(x, y):
    y_bar = 2 * np.concatenate((x, y))
    return y_bar[: len(x)].copy(), y_bar[len(x) :].copy()


def slicing(x, w):
    return np.sum(x[1:-1] * w[1:-1])


def slicing_by_hand(x, w):
    x_bar = np.zeros_like(x)
    x_bar[1:-1] = w[1:-1]
    return x_bar


def indexing(x, k, w):
    return np.sum(x[k] * w)


def indexing_by_hand(x, k, w):
    x_bar = np.zeros_like(x)
    np.add.at(x_bar, k, w)
    return x_bar


def choosing(x, y, w):
    return np.sum(np.where(x > 0, x, y) * w)


def choosing_by_hand(x, y, w):
    positive = x > 0
    return np.where(positive, w, 0.0), np.where(positive, 0.0, w)


def broadcasting(x, y, w):
    return np.sum(x * y * w)


def broadcasting_by_hand(x, y, w):
    return y * w, np.sum(x * w, axis=0)


def running_sum(x, w):
    return np.sum(np.cumsum(x, axis=0) * w)


def running_sum_by_hand(x, w):
    return np.cumsum(w[::-1])[::-1].copy()


def logsumexp(x, w):
    return np.sum(special.logsumexp(x, axis=1) * w)


def logsumexp_by_hand(x, w):
    y = special.logsumexp(x, axis=1, keepdims=True)
    return np.exp(x - np.where(np.isinf(y), 0.0, y)) * w[:, None]


def logsumexp_written_out(x, w):
    top = np.max(x, axis=1)
    return np.sum((top + np.log(np.sum(np.exp(x - top[:, None]), axis=1))) * w)


def logsumexp_written_out_by_hand(x, w):
    e = np.exp(x - np.max(x, axis=1)[:, None])
    return e * (w / np.sum(e, axis=1))[:, None]


def workloads(n: int) -> list[Workload]:
    """Every rule, with about `n` numbers in its first argument."""
    rng = np.random.default_rng(n)
    side = isqrt(n)
    rows, columns = max(2, side // 2), n // max(2, side // 2)
    stack = max(1, n // 100)
    long, table = rng.standard_normal(n), rng.standard_normal((rows, columns))
    square, other = rng.standard_normal((2, side, side))
    first, second = rng.standard_normal((2, stack, 10, 10))
    of_rows, of_columns = rng.standard_normal(rows), rng.standard_normal(columns)
    half = long[: n // 2]

    def row(primal: Callable[..., Any], hand: Callable[..., Any], wrt: Any, *args: Any) -> Workload:
        return Workload(primal.__name__.replace("_", " "), primal, wrt, hand, args)

    def random(*shape: int) -> Any:
        return rng.standard_normal(shape)

    both = ("x", "y")
    return [
        row(matmul, matmul_by_hand, both, square, other, random(side, side)),
        row(stacked_matmul, stacked_matmul_by_hand, both, first, second, random(stack, 10, 10)),
        row(matrix_times_vector, matrix_times_vector_by_hand, both, table, of_columns, of_rows),
        row(einsum_rows, einsum_rows_by_hand, both, table, random(rows, columns), of_rows),
        row(einsum_weights, einsum_weights_by_hand, both, table, of_columns, of_rows),
        row(sum_of_columns, sum_of_columns_by_hand, "x", table, of_columns),
        row(sum_of_rows, sum_of_rows_by_hand, "x", table, of_rows),
        row(mean_of_columns, mean_of_columns_by_hand, "x", table, of_columns),
        row(mean_of_rows, mean_of_rows_by_hand, "x", table, of_rows),
        row(largest_of_rows, largest_of_rows_by_hand, "x", table, of_rows),
        row(deviation_of_rows, deviation_of_rows_by_hand, "x", table, of_rows),
        row(concatenation, concatenation_by_hand, both, half, random(n - n // 2)),
        row(slicing, slicing_by_hand, "x", long, random(n)),
        row(indexing, indexing_by_hand, "x", long, rng.integers(0, n, n), random(n)),
        row(choosing, choosing_by_hand, both, long, random(n), random(n)),
        row(broadcasting, broadcasting_by_hand, both, table, of_columns, random(rows, columns)),
        row(running_sum, running_sum_by_hand, "x", long, random(n)),
        row(logsumexp, logsumexp_by_hand, "x", table, of_rows),
        row(logsumexp_written_out, logsumexp_written_out_by_hand, "x", table, of_rows),
    ]

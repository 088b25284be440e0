"""Joining, taking apart, indexing and rearranging: adjoints that only move numbers.

A gradient is its caller's own, so what is a view of the weights by hand is copied.
"""

from __future__ import annotations

import numpy as np

from tests.benchmarks.workload import Workload, pair


def stacked(x, y, w):
    return np.sum(np.stack([x, y]) * w)


def stacked_by_hand(x, y, w):
    return w[0].copy(), w[1].copy()


def stacked_as_columns(x, y, w):
    return np.sum(np.stack([x, y], axis=1) * w)


def stacked_as_columns_by_hand(x, y, w):
    return w[:, 0].copy(), w[:, 1].copy()


def concatenated_rows(x, y, w):
    return np.sum(np.concatenate([x, y], axis=1) * w)


def concatenated_rows_by_hand(x, y, w):
    k = x.shape[1]
    return w[:, :k].copy(), w[:, k:].copy()


def hstacked(x, y, w):
    return np.sum(np.hstack([x, y]) * w)


def hstacked_by_hand(x, y, w):
    k = len(x)
    return w[:k].copy(), w[k:].copy()


def split(x, w):
    a, b = np.split(x, 2)
    return np.sum(a * b * w)


def split_by_hand(x, w):
    half = len(w)
    x_bar = np.empty_like(x)
    x_bar[:half] = x[half:] * w
    x_bar[half:] = x[:half] * w
    return x_bar


def halves(x, w):
    """As `split`; what is written by hand keeps the primal's own np.split."""
    a, b = np.split(x, 2)
    return np.sum(a * b * w)


def halves_by_hand(x, w):
    a, b = np.split(x, 2)
    return np.concatenate([b * w, a * w])


def column(x, w):
    return np.sum(x[:, 1] * w)


def column_by_hand(x, w):
    x_bar = np.zeros_like(x)
    x_bar[:, 1] = w
    return x_bar


def two_slices(x, w):
    return np.sum((x[1:] - x[:-1]) ** 2 * w)


def two_slices_by_hand(x, w):
    g = 2 * w * (x[1:] - x[:-1])
    x_bar = np.zeros_like(x)
    x_bar[1:] = g
    x_bar[:-1] -= g
    return x_bar


def strided(x, w):
    return np.sum(x[::2] * w)


def strided_by_hand(x, w):
    x_bar = np.zeros_like(x)
    x_bar[::2] = w
    return x_bar


def masked(x, w):
    return np.sum(x[x > 1] ** 2) * w


def masked_by_hand(x, w):
    chosen = x > 1
    x_bar = np.zeros_like(x)
    x_bar[chosen] = 2 * w * x[chosen]
    return x_bar


def rows_taken(x, k, w):
    return np.sum(x[k] * w)


def rows_taken_by_hand(x, k, w):
    x_bar = np.zeros_like(x)
    np.add.at(x_bar, k, w)
    return x_bar


def elements_of_rows(x, k, w):
    return np.sum(x[np.arange(len(k)), k] * w)


def elements_of_rows_by_hand(x, k, w):
    x_bar = np.zeros_like(x)
    x_bar[np.arange(len(k)), k] = w
    return x_bar


def take(x, k, w):
    return np.sum(np.take(x, k) * w)


def take_by_hand(x, k, w):
    x_bar = np.zeros_like(x)
    np.add.at(x_bar, k, w)
    return x_bar


def take_along_rows(x, k, w):
    return np.sum(np.take_along_axis(x, k, axis=1) * w)


def take_along_rows_by_hand(x, k, w):
    x_bar = np.zeros_like(x)
    np.add.at(x_bar, (np.arange(len(k))[:, None], k), w)
    return x_bar


def transposed(x, w):
    return np.sum(x.T * w)


def transposed_by_hand(x, w):
    return w.T.copy()


def reshaped(x, w):
    return np.sum(x.reshape(-1) * w)


def reshaped_by_hand(x, w):
    return w.reshape(x.shape).copy()


def broadcast(x, w):
    return np.sum(np.broadcast_to(x, w.shape) * w)


def broadcast_by_hand(x, w):
    return np.sum(w, axis=0)


def new_axis(x, y, w):
    return np.sum(x[:, None] * y[None, :] * w)


def new_axis_by_hand(x, y, w):
    return w @ y, x @ w


def flipped(x, w):
    return np.sum(x[::-1] * w)


def flipped_by_hand(x, w):
    return w[::-1].copy()


def rolled(x, w):
    return np.sum(np.roll(x, 1) * w)


def rolled_by_hand(x, w):
    return np.roll(w, -1)


def rolled_rows(x, w):
    return np.sum(np.roll(x, 1, axis=0) * w)


def rolled_rows_by_hand(x, w):
    return np.roll(w, -1, axis=0)


def tiled(x, w):
    return np.sum(np.tile(x, 3) * w)


def tiled_by_hand(x, w):
    return np.sum(w.reshape(3, -1), axis=0)


def repeated(x, w):
    return np.sum(np.repeat(x, 3) * w)


def repeated_by_hand(x, w):
    return np.sum(w.reshape(-1, 3), axis=1)


def padded(x, w):
    return np.sum(np.pad(x, 1) * w)


def padded_by_hand(x, w):
    return w[1:-1, 1:-1].copy()


def padded_edges(x, w):
    return np.sum(np.pad(x, 1, mode="edge") * w)


def padded_edges_by_hand(x, w):
    x_bar = w[1:-1].copy()
    x_bar[0] += w[0]
    x_bar[-1] += w[-1]
    return x_bar


def moved_axis(x, w):
    return np.sum(np.moveaxis(x, 0, 2) * w)


def moved_axis_by_hand(x, w):
    return np.moveaxis(w, 2, 0).copy()


def diagonal(x, w):
    return np.sum(np.diag(x) * w)


def diagonal_by_hand(x, w):
    return np.diag(w)


def triangle(x, w):
    return np.sum(np.tril(x) * w)


def triangle_by_hand(x, w):
    return np.tril(w)


def cases(n: int) -> list[Workload]:
    """Arrays of about `n` positive numbers; tables of 10 columns, or of 5."""
    rng = np.random.default_rng(n)
    columns = 10 if n >= 100 else 5
    rows = n // columns
    side = max(2, int(n**0.5))

    def random(*shape: int) -> np.ndarray:
        return rng.uniform(0.5, 1.5, shape)

    both = ("x", "y")
    x, w = random(n), random(n)
    table, weights = random(rows, columns), random(rows, columns)
    square = random(side, side)
    return [
        pair(stacked, both, x, random(n), random(2, n)),
        pair(stacked_as_columns, both, x, random(n), random(n, 2)),
        pair(concatenated_rows, both, table, random(rows, columns), random(rows, 2 * columns)),
        pair(hstacked, both, x, random(n), random(2 * n)),
        pair(split, "x", x, random(n // 2)),
        pair(halves, "x", x, random(n // 2)),
        pair(column, "x", table, random(rows)),
        pair(two_slices, "x", x, random(n - 1)),
        pair(strided, "x", x, random((n + 1) // 2)),
        pair(masked, "x", x, 0.7),
        pair(rows_taken, "x", table, rng.integers(0, rows, rows), weights),
        pair(elements_of_rows, "x", table, rng.integers(0, columns, rows), random(rows)),
        pair(take, "x", x, rng.integers(0, n, n), w),
        pair(take_along_rows, "x", table, rng.integers(0, columns, (rows, columns)), weights),
        pair(transposed, "x", table, random(columns, rows)),
        pair(reshaped, "x", table, random(rows * columns)),
        pair(broadcast, "x", random(columns), weights),
        pair(new_axis, both, random(rows), random(columns), weights),
        *(pair(primal, "x", x, w) for primal in (flipped, rolled)),
        pair(rolled_rows, "x", table, weights),
        *(pair(primal, "x", x, random(3 * n)) for primal in (tiled, repeated)),
        pair(padded, "x", table, random(rows + 2, columns + 2)),
        pair(padded_edges, "x", x, random(n + 2)),
        pair(moved_axis, "x", random(rows, columns, 2), random(columns, 2, rows)),
        pair(diagonal, "x", square, random(side)),
        pair(triangle, "x", square, random(side, side)),
    ]

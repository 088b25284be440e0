"""The gradient of a sum over a dataset that no machine holds, by dask.

    python examples/dask_chunks.py [rows]            # --source prints the generated code

A logistic regression on rows that are made chunk by chunk in worker processes, as they would be
read from files. A loss that is a sum over rows has a gradient that is the sum of the chunks': by
`map_blocks` each worker computes `value_and_grad` of its chunk, `sum(split_every=8)` adds them up
in a tree, and L-BFGS gets eleven numbers. A worker holds few chunks of 9 MB at a time, whatever the
number of rows. The last line compares the gradient at the start with X^T (p - y) as `dask.array`
computes it.
"""

from __future__ import annotations

import logging
import sys

import dask.array as da
import numpy as np
from dask.distributed import Client, LocalCluster
from scipy.optimize import minimize

from autodiff import value_and_grad

COLUMNS, CHUNK = 10, 100_000
QUIET = {"dashboard_address": None, "silence_logs": logging.ERROR}
WEIGHTS = np.linspace(-1.0, 1.0, COLUMNS)
PLAIN = {"dtype": float, "meta": np.empty((0, 0))}  # else dask tries each function on no rows


def made(block_id=(0, 0)):
    """One chunk, always the same: the features of each row, then its label."""
    rng = np.random.default_rng(block_id[0])
    x = rng.standard_normal((CHUNK, COLUMNS))
    labels = rng.random(CHUNK) < 1.0 / (1.0 + np.exp(-x @ WEIGHTS))
    return np.column_stack([x, labels])


def loss(w, rows):
    margins = rows[:, :-1] @ w
    return np.sum(np.logaddexp(0.0, margins) - rows[:, -1] * margins)


def of_chunk(rows, w):
    """Gradient and value in one row, to be added up."""
    value, gradient = value_and_grad(loss)(w, rows)
    return np.append(gradient, value)[None]


def total(w, rows):
    """The mean loss of all rows, and its gradient."""
    parts = rows.map_blocks(of_chunk, w=w, chunks=(1, COLUMNS + 1), **PLAIN)
    *gradient, value = parts.sum(axis=0, split_every=8).compute() / len(rows)
    return value, np.array(gradient)


def by_dask(w, rows):
    """The gradient by hand, on arrays of dask."""
    x, y = rows[:, :-1], rows[:, -1]
    return (x.T @ (1.0 / (1.0 + da.exp(-x @ w)) - y)).compute() / len(y)


def main():
    asked = int(next((a for a in sys.argv[1:] if a.isdigit()), 500_000))
    blocks = -(-asked // CHUNK)
    if "--source" in sys.argv:
        print(value_and_grad(loss).source_for(WEIGHTS, made()))
    rows = da.map_blocks(made, chunks=((CHUNK,) * blocks, (COLUMNS + 1,)), **PLAIN)
    with (
        LocalCluster(2, threads_per_worker=1, memory_limit="600MB", **QUIET) as local,
        Client(local),
    ):
        w = np.zeros(COLUMNS)
        _, gradient = total(w, rows)
        expected = np.linalg.norm(by_dask(w, rows))
        found = minimize(total, w, (rows,), jac=True, method="L-BFGS-B", options={"maxiter": 5})
        print(f"{blocks} chunks, {rows.nbytes / 1e9:.2f} GB", end=": ")
        print(f"loss {found.fun:.4f} after {found.nfev} passes")
        print(f"largest error of a weight: {np.max(np.abs(found.x - WEIGHTS)):.3f}")
    norm = np.linalg.norm(gradient)
    print(f"norm of the gradient at the start: {norm:.9e} (expected {expected:.9e})")


if __name__ == "__main__":
    main()

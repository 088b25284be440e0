"""The gradient of a sum over a dataset that no machine holds, by dask.

    python examples/dask_chunks.py [rows]            # --source prints the generated code

A logistic regression on rows that are made chunk by chunk in worker processes, as they would be
read from files. A loss that is a sum over rows has a gradient that is the sum of the chunks': each
worker computes `value_and_grad` of its chunk, dask adds them up in a tree, and L-BFGS gets ten
numbers. A worker holds one chunk of 8 MB at a time, whatever the number of rows. The last line
compares the gradient at the start with X^T (p - y) as `dask.array` computes it.
"""

from __future__ import annotations

import functools
import logging
import operator
import sys

import dask
import dask.array as da
import numpy as np
from dask.distributed import Client, LocalCluster
from scipy.optimize import minimize

from autodiff import value_and_grad

COLUMNS, CHUNK = 10, 100_000
QUIET = {"dashboard_address": None, "silence_logs": logging.ERROR}
WEIGHTS = np.linspace(-1.0, 1.0, COLUMNS)


def made(block):
    """The features of one chunk and its labels, always the same."""
    rng = np.random.default_rng(block)
    x = rng.standard_normal((CHUNK, COLUMNS))
    return x, rng.random(CHUNK) < 1.0 / (1.0 + np.exp(-x @ WEIGHTS))


def loss(w, x, y):
    margins = x @ w
    return np.sum(np.logaddexp(0.0, margins) - y * margins)


def of_chunk(w, block):
    """Value and gradient in one array, to be added up."""
    value, gradient = value_and_grad(loss)(w, *made(block))
    return np.append(gradient, value)


def total(w, blocks):
    """The mean loss of all rows, and its gradient."""
    parts = [dask.delayed(of_chunk)(w, block) for block in range(blocks)]
    while len(parts) > 1:  # eight at a time
        groups = [parts[k : k + 8] for k in range(0, len(parts), 8)]
        parts = [dask.delayed(functools.partial(functools.reduce, operator.add))(g) for g in groups]
    *gradient, value = parts[0].compute() / (blocks * CHUNK)
    return value, np.array(gradient)


def by_dask(w, blocks):
    """The gradient by hand, on arrays of dask."""
    both = [dask.delayed(made)(block) for block in range(blocks)]
    x = da.concatenate([da.from_delayed(b[0], (CHUNK, COLUMNS), float) for b in both])
    y = da.concatenate([da.from_delayed(b[1], (CHUNK,), bool) for b in both])
    return (x.T @ (1.0 / (1.0 + da.exp(-x @ w)) - y)).compute() / len(y)


def main():
    rows = int(next((a for a in sys.argv[1:] if a.isdigit()), 500_000))
    blocks = -(-rows // CHUNK)
    if "--source" in sys.argv:
        print(value_and_grad(loss).source_for(WEIGHTS, *made(0)))
    with (
        LocalCluster(2, threads_per_worker=1, memory_limit="600MB", **QUIET) as local,
        Client(local),
    ):
        w = np.zeros(COLUMNS)
        _, gradient = total(w, blocks)
        expected = np.linalg.norm(by_dask(w, blocks))
        found = minimize(total, w, (blocks,), jac=True, method="L-BFGS-B", options={"maxiter": 5})
        size = blocks * CHUNK * COLUMNS * 8 / 1e9
        print(f"{blocks} chunks, {size:.2f} GB: loss {found.fun:.4f} after {found.nfev} passes")
        print(f"largest error of a weight: {np.max(np.abs(found.x - WEIGHTS)):.3f}")
    norm = np.linalg.norm(gradient)
    print(f"norm of the gradient at the start: {norm:.9e} (expected {expected:.9e})")


if __name__ == "__main__":
    main()

"""A gradient over data that several processes share out, added up by MPI.

    mpiexec -n 2 python examples/mpi_allreduce.py            # --source prints the generated code

Each process holds its rows, computes `value_and_grad` of its part of the loss, and `Allreduce` adds
up what they found: all have the same gradient then, and take the same step. The last line compares
it with that of all rows in one process.
"""

from __future__ import annotations

import sys

import numpy as np
from mpi4py import MPI

from autodiff import value_and_grad

ROWS, COLUMNS = 6000, 8


def rows(start, stop):
    """Some of the data, as every process would read its own file."""
    x = np.random.default_rng(0).standard_normal((ROWS, COLUMNS))
    y = np.tanh(x @ np.linspace(-1.0, 1.0, COLUMNS))
    return x[start:stop], y[start:stop]


def loss(w, x, y):
    return np.sum((np.tanh(x @ w) - y) ** 2) / ROWS


def main():
    world = MPI.COMM_WORLD
    ends = np.linspace(0, ROWS, world.size + 1).astype(int)
    x, y = rows(ends[world.rank], ends[world.rank + 1])
    derivative, w = value_and_grad(loss), np.zeros(COLUMNS)

    def total(w):
        value, gradient = derivative(w, x, y)
        both = np.append(gradient, value)
        world.Allreduce(MPI.IN_PLACE, both)
        return both[-1], both[:-1]

    _, first = total(w)
    for _ in range(60):
        value, gradient = total(w)
        w -= 0.5 * gradient
    if world.rank == 0:
        if "--source" in sys.argv:
            print(derivative.source)
        print(f"{world.size} processes: loss {value:.2e} after 60 steps")
        _, expected = derivative(np.zeros(COLUMNS), *rows(0, ROWS))
        print(f"norm of the gradient at the start: {np.linalg.norm(first):.9e} "
              f"(expected {np.linalg.norm(expected):.9e})")  # fmt: skip


if __name__ == "__main__":
    main()

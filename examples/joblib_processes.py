"""A derivative is sent to worker processes, by joblib.

    python examples/joblib_processes.py            # --source prints the generated code

The bootstrap of a robust line: 40 samples of the data, drawn with replacement, are fitted in two
processes, which get `value_and_grad(loss)` pickled. This function is of a script, whose code a
worker cannot import, so the pickle carries its source. The last line compares what all samples
found with the same work in this process.
"""

from __future__ import annotations

import sys

import numpy as np
from joblib import Parallel, delayed
from scipy.optimize import minimize

from autodiff import value_and_grad

SAMPLES = 40


def loss(line, x, y):
    """Of residuals that count by their squares if small, by their sizes if large."""
    return np.mean(np.sqrt(1.0 + (line[0] + line[1] * x - y) ** 2))


def fitted(derivative, x, y, seed):
    """The line through a sample of the points."""
    chosen = np.random.default_rng(seed).integers(0, len(x), len(x))
    start, data = np.zeros(2), (x[chosen], y[chosen])
    return minimize(derivative, start, data, jac=True, method="BFGS").x


def main():
    rng = np.random.default_rng(0)
    x = rng.uniform(0.0, 4.0, 300)
    y = 1.0 + 2.0 * x + rng.standard_t(1.5, 300)  # far outliers
    derivative = value_and_grad(loss)
    if "--source" in sys.argv:
        print(derivative.source_for(np.zeros(2), x, y))

    work = [delayed(fitted)(derivative, x, y, seed) for seed in range(SAMPLES)]
    lines = np.array(Parallel(n_jobs=2)(work))
    alone = np.array([fitted(derivative, x, y, seed) for seed in range(SAMPLES)])
    mean, error = np.mean(lines, axis=0), np.std(lines, axis=0)
    print(f"at 0: {mean[0]:.3f} +- {error[0]:.3f}, slope: {mean[1]:.3f} +- {error[1]:.3f}")
    print(f"sum of all slopes: {np.sum(lines[:, 1]):.6f} (expected {np.sum(alone[:, 1]):.6f})")


if __name__ == "__main__":
    main()

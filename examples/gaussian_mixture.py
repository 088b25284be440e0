"""Fit a Gaussian mixture to the data of the ADBench suite, with a gradient written by autodiff.

    python examples/gaussian_mixture.py            # a picture too where matplotlib is installed

Five components in two dimensions, 1000 points. Component k has a weight, a mean and a factor Q_k
of its inverse covariance (lower triangular, exp(q_k) on the diagonal). What is minimised is the
negative log-likelihood plus the Wishart prior of the suite: a negative log-posterior. (The points
are one round cloud: the components share it, and one of them fades.)
"""

from __future__ import annotations

import itertools
import time
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from scipy.special import multigammaln

from autodiff import value_and_grad

DATA = Path(__file__).parent / "data" / "gmm_d2_K5.txt"
EXPECTED = 2889.30  # the minimum that L-BFGS-B finds from the start in the file


def read(path):
    """The start (one flat vector), points, gamma and m of an ADBench mixture file, and K."""
    numbers = path.read_text().split()
    d, K, n = (int(number) for number in numbers[:3])
    values = np.array(numbers[3:], dtype=float)
    parameters = K + K * d + K * d * (d + 1) // 2
    start, points = np.split(values[:-2], [parameters])
    return start, points.reshape(n, d), values[-2], int(values[-1]), K


def logsumexp(a):
    """log(sum(exp(a))) over the first axis, without overflow."""
    top = np.max(a, axis=0)
    return top + np.log(np.sum(np.exp(a - top), axis=0))


def factors(log_diagonal, below):
    """The lower triangular Q_k, stacked; `below` holds the strict triangle column by column."""
    K, d = log_diagonal.shape
    row, column = np.indices((d, d))
    strict = d + column * d - column * (column + 1) // 2 + row - column - 1
    place = np.where(row == column, row, np.where(row > column, strict, -1))
    entries = np.concatenate([np.exp(log_diagonal), below, np.zeros((K, 1))], axis=1)
    return entries[:, place]


def negative_log_posterior(theta, points, gamma, m, K):
    n, d = points.shape
    alphas = theta[:K]
    means = theta[K : K + K * d].reshape(K, d)
    icf = theta[K + K * d :].reshape(K, -1)
    log_diagonal, below = icf[:, :d], icf[:, d:]

    Q = factors(log_diagonal, below)
    log_determinants = np.sum(log_diagonal, axis=1)
    white = (points - means[:, None, :]) @ np.swapaxes(Q, 1, 2)
    exponents = (alphas + log_determinants)[:, None] - 0.5 * np.sum(white**2, axis=2)
    log_likelihood = np.sum(logsumexp(exponents)) - n * logsumexp(alphas)

    squares = np.sum(np.exp(2 * log_diagonal)) + np.sum(below**2)
    prior = 0.5 * gamma**2 * squares - m * np.sum(log_determinants)
    return prior - log_likelihood + normalisation(n, d, K, gamma, m)


def normalisation(n, d, K, gamma, m):
    """What does not depend on the parameters."""
    N = d + m + 1
    wishart = N * d * np.log(gamma / np.sqrt(2)) - multigammaln(0.5 * N, d)
    return 0.5 * n * d * np.log(2 * np.pi) - K * wishart


def difference(f, theta, direction, step=1e-6):
    """The derivative of f at theta along a direction, by central differences."""
    return (f(theta + step * direction) - f(theta - step * direction)) / (2 * step)


def seconds(f, *arguments, repeats=200):
    """The median time of one call."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        f(*arguments)
        times.append(time.perf_counter() - start)
    return float(np.median(times))


def picture(path, points, theta, K):
    """The points and, for every component, the ellipse of one standard deviation."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - an optional extra

    d = points.shape[1]
    means = theta[K : K + K * d].reshape(K, d)
    icf = theta[K + K * d :].reshape(K, -1)
    angle = np.linspace(0, 2 * np.pi, 100)
    circle = np.stack([np.cos(angle), np.sin(angle)])
    figure = Figure(figsize=(6, 6))
    axes = figure.subplots()
    axes.plot(*points.T, ".", color="0.7", markersize=3)
    for mean, Q in zip(means, factors(icf[:, :d], icf[:, d:])):
        axes.plot(*(mean[:, None] + np.linalg.solve(Q, circle)))
    axes.set(title="Gaussian mixture, one standard deviation", aspect="equal")
    figure.savefig(path, dpi=120)
    print(f"picture: {path}")


def main():
    start, *data = read(DATA)
    objective = value_and_grad(negative_log_posterior)

    value, gradient = objective(start, *data)
    print(objective.source)

    direction = np.random.default_rng(0).standard_normal(start.size)
    along = gradient @ direction
    differences = difference(lambda theta: negative_log_posterior(theta, *data), start, direction)
    print(f"derivative along a random direction: {along:.6f}, finite differences {differences:.6f}")

    steps = itertools.count(1)

    def progress(intermediate_result):
        step = next(steps)
        if step % 25 == 0:
            print(f"step {step:4d}: {intermediate_result.fun:.6f}")

    print(f"step {0:4d}: {value:.6f}")
    fit = minimize(objective, start, args=tuple(data), jac=True, method="L-BFGS-B",
                   callback=progress, options={"maxiter": 1000, "ftol": 1e-10})  # fmt: skip
    points, K = data[0], data[-1]
    weights = np.exp(fit.x[:K] - logsumexp(fit.x[:K]))
    print(f"{fit.message} after {fit.nit} steps, {fit.nfev} gradients")
    print("weights:", np.round(weights, 3))
    print("means:", *np.round(fit.x[K : 3 * K].reshape(K, 2), 3))

    primal, both = (seconds(f, start, *data) for f in (negative_log_posterior, objective))
    print(f"time: function {primal * 1e3:.3f} ms, value and gradient {both * 1e3:.3f} ms, "
          f"ratio {both / primal:.2f}")  # fmt: skip
    try:
        picture(Path(__file__).with_suffix(".png"), points, fit.x, K)
    except ImportError:
        print("picture: skipped, matplotlib is not installed")
    print(f"negative log-posterior: {fit.fun:.2f} (expected {EXPECTED:.2f})")


if __name__ == "__main__":
    main()

"""The Gaussian mixture of the ADBench suite: stacked matrices, exponentials, sums over axes."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.benchmarks.workload import Workload

FILES = {
    "GMM, d = 2, K = 5": Path(__file__).parents[2] / "examples" / "data" / "gmm_d2_K5.txt",
    "GMM, d = 10, K = 25": Path(__file__).parent / "data" / "gmm_d10_K25.txt",
}


def logsumexp(a):
    top = np.max(a, axis=0)
    return top + np.log(np.sum(np.exp(a - top), axis=0))


def log_likelihood(alphas, means, icf, points, place, gamma, m):
    """The suite's objective, less the constant; `place` puts the factor's entries into a matrix."""
    K, d = means.shape
    log_diagonal, below = icf[:, :d], icf[:, d:]
    entries = np.concatenate([np.exp(log_diagonal), below, np.zeros((K, 1))], axis=1)
    Q = entries[:, place]
    log_determinants = np.sum(log_diagonal, axis=1)
    white = (points - means[:, None, :]) @ np.swapaxes(Q, 1, 2)
    exponents = (alphas + log_determinants)[:, None] - 0.5 * np.sum(white**2, axis=2)
    likelihood = np.sum(logsumexp(exponents)) - len(points) * logsumexp(alphas)
    squares = np.sum(np.exp(2 * log_diagonal)) + np.sum(below**2)
    return likelihood + 0.5 * gamma**2 * squares - m * np.sum(log_determinants)


def log_likelihood_by_hand(alphas, means, icf, points, place, gamma, m):
    """The adjoint of logsumexp is the softmax; the means take their sums before the matrix product.

    `place` is a selection without repetition but for the zeros, so the adjoint of `entries` is a
    plain store.
    """
    K, d = means.shape
    log_diagonal, below = icf[:, :d], icf[:, d:]
    diagonal = np.exp(log_diagonal)
    entries = np.concatenate([diagonal, below, np.zeros((K, 1))], axis=1)
    Q = entries[:, place]
    log_determinants = np.sum(log_diagonal, axis=1)
    centred = points - means[:, None, :]
    white = centred @ np.swapaxes(Q, 1, 2)
    exponents = np.einsum("kni,kni->kn", white, white)
    exponents *= -0.5
    exponents += (alphas + log_determinants)[:, None]

    exponents -= np.max(exponents, axis=0)
    softmax = np.exp(exponents, out=exponents)
    softmax /= np.sum(softmax, axis=0)
    shares = np.sum(softmax, axis=1)
    white *= softmax[:, :, None]
    means_bar = (np.sum(white, axis=1)[:, None, :] @ Q)[:, 0, :]
    Q_bar = np.swapaxes(white, 1, 2) @ centred
    entries_bar = np.empty_like(entries)
    entries_bar[:, place] = Q_bar
    icf_bar = np.empty_like(icf)
    icf_bar[:, :d] = gamma**2 * diagonal**2 - entries_bar[:, :d] * diagonal
    icf_bar[:, :d] += (shares - m)[:, None]
    icf_bar[:, d:] = gamma**2 * below - entries_bar[:, d:-1]
    weights = np.exp(alphas - np.max(alphas))
    alphas_bar = shares - len(points) / np.sum(weights) * weights
    return alphas_bar, means_bar, icf_bar


def read(path, limit=None):
    numbers = path.read_text().split()
    d, K, n = (int(number) for number in numbers[:3])
    values = np.array(numbers[3:], dtype=float)
    ends = np.cumsum([K, K * d, K * d * (d + 1) // 2])
    alphas, means, icf, points = np.split(values[:-2], ends)
    row, column = np.indices((d, d))
    strict = d + column * d - column * (column + 1) // 2 + row - column - 1
    place = np.where(row == column, row, np.where(row > column, strict, -1))
    points = points.reshape(n, d)[:limit]
    return (
        alphas, means.reshape(K, d), icf.reshape(K, -1), points, place, values[-2], int(values[-1]),
    )  # fmt: skip


def workloads(small=False):
    wrt, limit = ("alphas", "means", "icf"), 7 if small else None
    return [
        Workload(name, log_likelihood, wrt, log_likelihood_by_hand, read(path, limit), number=6)
        for name, path in FILES.items()
    ]

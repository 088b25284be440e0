"""Sizes that follow from those of the operands, at sizes where arrays broadcast."""

import itertools

import numpy as np
import pytest

from autodiff import check_grads


def joined(x, y, w):
    return np.sum(np.concatenate([x, y]) * w)


def joined_twice(x, y, w):
    return np.sum(np.sin(np.hstack([x, y])) * w * np.concatenate([y, x]))


def tiled(x, y, w):
    return np.sum(np.tile(x, 3) * w) + np.sum(np.tile(y, 1) * w)


def repeated(x, y, w):
    return np.sum(np.repeat(x, 2) * w) + np.sum(np.pad(y, (0, 2), mode="edge") * w)


def padded(x, y, w):
    return np.sum(np.pad(x, 1) * w) + np.sum(np.pad(np.outer(x, y), ((1, 0), (0, 2))) ** 2)


def stacked(x, y, w):
    return np.sum(np.stack([x, x * 2]) * w) + np.sum(np.stack([y, y], axis=1) * w[0])


def in_halves(x, y, w):
    a, b = np.split(np.concatenate([x, x]), 2)
    return np.sum(a * b * w)


def growing(x, y, w):
    z = x
    for _ in range(2):
        z = np.concatenate([z, z * 0.5]) * w
    return np.sum(z)


def flattened(x, y, w):
    return np.sum(np.outer(x, y).ravel() * w) + np.sum(np.outer(x, y).reshape(-1) * w)


def taken(x, y, w):
    k = np.zeros(len(x), int)
    return np.sum(np.take(x, k) * w) + np.sum(np.outer(x, y)[np.arange(1), k] * w)


def counted(x, y, w):
    k = np.zeros(len(x), int)
    return np.sum(np.outer(x, y)[np.arange(len(x)), k] * w)


def reversed_rows(x, y, w):
    m = np.outer(x, y)
    return np.sum(x[::-1] * w) + np.sum(m[::-1, :] * m) + np.sum(m[:, ::-1] * m)


def convolved(x, y, w):
    z = np.convolve(x, y, "valid")
    return np.mean(z * z) * np.sum(np.convolve(x, w, "valid") * w) + np.sum(z * w)


def factored(x, y, w):
    a = np.outer(x, y) + 2 * np.eye(len(x), len(y))
    least = np.linalg.svd(a, compute_uv=False)
    return np.mean(least**2) + np.sum(least * w)


def parted(x, y, w):
    a, b = np.split(np.outer(np.concatenate([x, x]), y), 2)
    c, d = np.hsplit(np.outer(x, np.concatenate([y, y])), 2)
    return np.sum(a * b * c * d * w[: len(y)])


FUNCTIONS = [
    *(joined, joined_twice, tiled, repeated, padded, stacked, in_halves, growing, flattened),
    *(convolved, factored, parted),
    *(taken, counted, reversed_rows),
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_gradients_where_arrays_broadcast(function):
    rng = np.random.default_rng(0)
    checked = 0
    for sizes in itertools.product((1, 2, 3), (1, 2), (1, 2, 3, 4, 6)):
        arguments = [rng.uniform(0.1, 1, n) for n in sizes]
        try:
            function(*arguments)
        except ValueError:
            continue  # they do not fit together
        check_grads(function, *arguments)
        checked += 1
    assert checked >= 4

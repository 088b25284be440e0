"""Objectives of the ADBench suite in loops over elements, as its C programs have them."""

from __future__ import annotations

import math
from pathlib import Path

import numba
import numpy as np

DATA = Path(__file__).parents[1] / "data"


def mixture(alphas, means, icf, points, gamma, m):
    """The log likelihood of a Gaussian mixture, less the constant."""
    n, d = points.shape
    K = len(alphas)
    top = alphas[0]
    for k in range(1, K):
        top = max(top, alphas[k])
    weights = 0.0
    for k in range(K):
        weights += math.exp(alphas[k] - top)
    total = -n * (top + math.log(weights))
    terms = np.zeros(K)
    centred = np.zeros(d)
    for i in range(n):
        largest = -math.inf
        for k in range(K):
            exponent = alphas[k]
            for a in range(d):
                centred[a] = points[i, a] - means[k, a]
                exponent += icf[k, a]
            for a in range(d):
                white = math.exp(icf[k, a]) * centred[a]
                for b in range(a):
                    place = d + b * d - b * (b + 1) // 2 + a - b - 1
                    white += icf[k, place] * centred[b]
                exponent -= 0.5 * white * white
            terms[k] = exponent
            largest = max(largest, exponent)
        share = 0.0
        for k in range(K):
            share += math.exp(terms[k] - largest)
        total += largest + math.log(share)
    for k in range(K):
        for a in range(d):
            total += 0.5 * gamma * gamma * math.exp(2.0 * icf[k, a]) - m * icf[k, a]
        for a in range(d, icf.shape[1]):
            total += 0.5 * gamma * gamma * icf[k, a] * icf[k, a]
    return total


@numba.njit
def sigmoid(x):
    return 1.0 / (1.0 + math.exp(-x))


def memory_cells(main, extra, state, text):
    """The loss of a diagonal LSTM that predicts the bits of the next character."""
    layers, width = len(main) // 2, text.shape[1]
    state = state.copy()
    x = np.zeros(width)
    total = 0.0
    for t in range(len(text) - 1):
        for h in range(width):
            x[h] = text[t, h] * extra[0, h]
        for k in range(layers):
            for h in range(width):
                before = state[2 * k, h]
                forget = sigmoid(x[h] * main[2 * k, h] + main[2 * k + 1, h])
                taken = sigmoid(before * main[2 * k, width + h] + main[2 * k + 1, width + h])
                shown = sigmoid(x[h] * main[2 * k, 2 * width + h] + main[2 * k + 1, 2 * width + h])
                change = math.tanh(
                    before * main[2 * k, 3 * width + h] + main[2 * k + 1, 3 * width + h]
                )
                cell = state[2 * k + 1, h] * forget + taken * change
                state[2 * k + 1, h] = cell
                state[2 * k, h] = shown * math.tanh(cell)
                x[h] = state[2 * k, h]
        norm = 2.0
        for h in range(width):
            norm += math.exp(x[h] * extra[1, h] + extra[2, h])
        for h in range(width):
            prediction = x[h] * extra[1, h] + extra[2, h]
            total -= text[t + 1, h] * (prediction - math.log(norm))
    return total / ((len(text) - 1) * width)


def memory_cells_arguments(limit=None):
    """The suite's file: main and extra parameters, state, text."""
    numbers = (DATA / "lstm_l2_c1024.txt").read_text().split()
    layers, count, width = map(int, numbers[:3])
    ends = np.cumsum([2 * layers * 4 * width, 3 * width, 2 * layers * width])
    main, extra, state, text = np.split(np.array(numbers[3:], dtype=float), ends)
    return (
        main.reshape(2 * layers, -1), extra.reshape(3, -1), state.reshape(2 * layers, -1),
        text.reshape(count, width)[:limit],
    )  # fmt: skip

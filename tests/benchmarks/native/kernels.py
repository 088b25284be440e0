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


def bundle(cameras, points, weights, features, observed):
    """Half the sum of the squared weighted reprojection errors: rotation, distortion, scaling."""
    total = 0.0
    for p in range(len(weights)):
        c, j = observed[p, 0], observed[p, 1]
        x = points[j, 0] - cameras[c, 3]
        y = points[j, 1] - cameras[c, 4]
        z = points[j, 2] - cameras[c, 5]
        rx, ry, rz = cameras[c, 0], cameras[c, 1], cameras[c, 2]
        angle = math.sqrt(rx * rx + ry * ry + rz * rz)
        ax, ay, az = rx / angle, ry / angle, rz / angle
        cosine, sine = math.cos(angle), math.sin(angle)
        along = (ax * x + ay * y + az * z) * (1.0 - cosine)
        u = x * cosine + (ay * z - az * y) * sine + ax * along
        v = y * cosine + (az * x - ax * z) * sine + ay * along
        w = z * cosine + (ax * y - ay * x) * sine + az * along
        u, v = u / w, v / w
        square = u * u + v * v
        distortion = 1.0 + cameras[c, 9] * square + cameras[c, 10] * square * square
        u = cameras[c, 6] * distortion * u + cameras[c, 7]
        v = cameras[c, 6] * distortion * v + cameras[c, 8]
        du = weights[p] * (u - features[p, 0])
        dv = weights[p] * (v - features[p, 1])
        total += 0.5 * (du * du + dv * dv)
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


def bundle_arguments(limit=None):
    """The suite's file: one camera, point, weight and feature, repeated."""
    numbers = (DATA / "ba1_n49_m7776_p31843.txt").read_text().split()
    n, m, p = map(int, numbers[:3])
    values = np.array(numbers[3:], dtype=float)
    camera, point, weight, feature = np.split(values, [11, 14, 15])
    p = min(p, limit or p)
    observed = np.stack([np.arange(p) % n, np.arange(p) % m], axis=1)
    return (
        np.tile(camera, (n, 1)), np.tile(point, (m, 1)), np.tile(weight, p),
        np.tile(feature, (p, 1)), observed,
    )  # fmt: skip

"""Sizes that have to fit: arrays of the caller's beside ones of known size, and what they give."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import M23, V3, W3

STEP = np.array([[1.0, 0.1], [0.0, 1.0]])
MEASURED = np.array([[0.3], [-0.2], [0.5]])
INPUTS = np.array([[0.3], [-0.2], [0.5], [1.1]])
WEIGHTS = {
    "z": np.array([[0.1, -0.4, 0.3], [0.7, 0.2, -0.5]]),
    "r": np.array([[0.5, 0.1, -0.3], [-0.2, 0.4, 0.6]]),
}


@program([(np.array([0.3, 0.2]), MEASURED, 0.5)], analytic=True)
def kalman_filter(x, measured, r):
    P = np.eye(2)
    H = np.array([[1.0, 0.0]])
    R = np.array([[r]])
    likelihood = 0.0
    history = []
    for z in measured:
        x = STEP @ x
        P = STEP @ P @ STEP.T + 0.01 * np.eye(2)
        y = z - H @ x
        S = H @ P @ H.T + R
        K = P @ H.T @ np.linalg.inv(S)
        x = x + K @ y
        P = (np.eye(2) - K @ H) @ P
        likelihood += -0.5 * (y @ np.linalg.solve(S, y) + np.log(np.linalg.det(S)))
        history.append((x.copy(), P))
    means = np.array([h[0] for h in history])
    return likelihood + np.sum(means[-1] ** 2) + sum(np.trace(p) for _, p in history)


@program([(WEIGHTS, INPUTS)], analytic=True)
def gated_unit(params, xs):
    sigmoid = lambda a: 1 / (1 + np.exp(-a))
    h = np.zeros(2)
    outs = []
    for x in xs:
        c = np.concatenate([h, x])
        z = sigmoid(params["z"] @ c)
        h = (1 - z) * h + z * np.tanh(params["r"] @ np.concatenate([z * h, x]))
        outs.append(h)
    return np.stack(outs).sum() + outs[-1].max()


@program([(V3, M23)], analytic=False)
def method_of_what_is_a_number_or_array(x, m):
    total = 0.0
    for row in m:
        total = total + row * x
    return total.sum() * total.max() + (-total).mean()


@program([(V3,)], analytic=False)
def list_of_what_is_not_known(x):
    ys = [0.0, x]
    rows = [y * 2 for y in ys]
    return np.concatenate([np.atleast_1d(row) for row in rows]).sum() * np.asarray(rows[1]).max()


@program([(2.0,)], analytic=True)
def halves_that_change(x):
    y = np.arange(4.0) * x
    a, b = np.split(y, 2)
    a[0] = b[1] * b[0]
    b += a
    return np.sum(y**3) + np.sum(a * b)


@program([(2.0,)], analytic=True)
def columns_that_change(x):
    y = np.arange(12.0).reshape(3, 4) * x
    a, b = np.hsplit(y, 2)
    a[0] = b[1] * b[0]
    b += a
    return np.sum(y**3) + np.sum(a * b)


@program([(2.0,)], analytic=True)
def parts_that_change(x):
    y = np.arange(12.0).reshape(3, 4) * x
    parts = np.array_split(y, 2)
    parts[0][0] = parts[1][0] * x
    y *= 2
    return np.sum(y**3) + np.sum(parts[0] * parts[1])


# Sizes that an array holds are known to nobody.

SHAPE = np.array([6])


@program([(W3,)], analytic=True)
def resized_to_what_an_array_says(x):
    y = np.resize(x, SHAPE) + np.zeros(6)
    return np.sum(y**2 * np.arange(6.0))


@program([(W3,)], analytic=True)
def stored_where_an_array_says(x):
    y = np.zeros(6, x.dtype)
    y[:] = np.resize(x, np.array([6]))
    return np.sum(y**3 * np.arange(6.0))

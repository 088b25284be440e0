"""Arrays: broadcasting, reductions, products, indexing."""

import numpy as np

from tests.golden.case import case
from tests.language.data import COL2, M23, M32, M33, V3, V4, W3

W1 = np.linspace(-1.0, 1.0, 12).reshape(3, 4)
B1 = np.linspace(0.1, 0.4, 4)
W2 = np.linspace(0.5, -0.3, 8).reshape(4, 2)
B2 = np.array([0.2, -0.1])
INPUTS = np.linspace(-1.0, 2.0, 15).reshape(5, 3)
TARGETS = np.linspace(0.0, 1.0, 10).reshape(5, 2)


@case(M23, V3, wrt=("m", "row"))
def matrix_plus_row(m, row):
    return np.sum(np.sin(m + row) * m)


@case(INPUTS, V3, V3 + 1.0, wrt=("x", "gamma", "beta"))
def batch_normalised(x, gamma, beta):
    mean = x.mean(axis=0)
    variance = x.var(axis=0)
    y = gamma * (x - mean) / np.sqrt(variance + 1e-5) + beta
    return np.sum(np.tanh(y) ** 2)


@case(M23, COL2, 1.5, wrt=("m", "column", "s"))
def broadcast_product(m, column, s):
    return np.sum(s * m / column)


@case(M23)
def reductions(m):
    centred = m - m.mean(axis=0)
    return np.sum(np.max(m, axis=1)) + centred.var() + np.prod(m[0])


@case(M23)
def softmax_loss(scores):
    shifted = scores - np.max(scores, axis=1, keepdims=True)
    logs = np.log(np.sum(np.exp(shifted), axis=1))
    return np.mean(logs - shifted[:, 0])


@case(W1, B1, W2, B2, INPUTS, TARGETS, wrt=("w1", "b1", "w2", "b2"), transform="value_and_grad")
def mlp(w1, b1, w2, b2, inputs, targets):
    hidden = np.tanh(inputs @ w1 + b1)
    outputs = hidden @ w2 + b2
    return np.mean((outputs - targets) ** 2)


@case(V3, M23, M23[:, 0])
def mean_squared_error(w, inputs, targets):
    return np.mean((inputs @ w - targets) ** 2)


@case(M33, V3, wrt=("a", "b"))
def linear_solve(a, b):
    x = np.linalg.solve(a, b)
    return x @ x


@case(M33, V3, wrt=("a", "x"))
def quadratic_form(a, x):
    return x @ (a @ x) + np.einsum("i,ij->", x, a)


@case(V4)
def smoothness(u):
    return np.sum((u[1:] - u[:-1]) ** 2) + u[0] * u[-1]


@case(V4, np.array([0, 2, 2]))
def gathered(x, places):
    return np.prod(x[places]) + np.sum(x[x > 0.0] ** 2)


@case(V3, W3)
def stacked(x, y):
    return np.sum(np.outer(np.concatenate([x, y * x]), x).T.reshape(-1) ** 2)


@case(M32, M23, wrt=("a", "b"))
def methods(a, b):
    return (a @ b).T.sum(axis=0).dot(a.ravel()[:3]) + b.mean()


@case(M33, V3, M23, wrt=("w", "state"))
def recurrent_network(w, state, inputs):
    for k in range(len(inputs)):
        state = np.tanh(w @ state + inputs[k])
    return np.sum(state**2)


@case(V3, M23, 0.5)
def log_likelihood(mean, points, width):
    squares = np.sum((points[:, None, :] - mean) ** 2, axis=2)
    largest = np.max(-squares / width)
    return np.sum(np.log(np.exp(-squares / width - largest))) + largest


@case(M23, M23 > 0.4, wrt="logits")
def cross_entropy(logits, labels):
    shifted = logits - np.max(logits, axis=1, keepdims=True)
    logsumexp = np.log(np.sum(np.exp(shifted), axis=1, keepdims=True))
    return -np.sum((shifted - logsumexp) * labels)

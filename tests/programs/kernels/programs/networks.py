"""Neural networks with preallocated states, and the loops that train them."""

import numpy as np

from tests.language.corpus import program
from tests.programs.kernels.data import wavy


def sigmoid(z):
    return 1.0 / (1.0 + np.exp(-z))


@program([(wavy(4, 2), wavy(3, 2), wavy(3, 3, phase=0.3), wavy(3))], analytic=True)
def rnn(x, wx, wh, b):
    steps = len(x)
    h = np.zeros((steps + 1, 3))
    for t in range(steps):
        h[t + 1] = np.tanh(wx @ x[t] + wh @ h[t] + b)
    return h


@program([(wavy(3, 2), wavy(8, 2), wavy(8, 2, phase=0.5), wavy(8, phase=0.2))], analytic=True)
def lstm(x, wx, wh, b):
    steps, n = len(x), 2
    h = np.zeros((steps + 1, n))
    c = np.zeros((steps + 1, n))
    gates = np.empty(4 * n)
    for t in range(steps):
        gates[:] = wx @ x[t] + wh @ h[t] + b
        gates[: 3 * n] = sigmoid(gates[: 3 * n])
        gates[3 * n :] = np.tanh(gates[3 * n :])
        i, f, o, g = gates[:n], gates[n : 2 * n], gates[2 * n : 3 * n], gates[3 * n :]
        c[t + 1] = f * c[t] + i * g
        h[t + 1] = o * np.tanh(c[t + 1])
    return np.sum(h[1:] ** 2) + np.sum(c[-1])


@program([(wavy(3, 2), wavy(3, 2, 2), wavy(3, 2, 2, phase=0.4), wavy(3, 2))], analytic=True)
def gru(xs, w, u, b):
    h = np.zeros(2)
    outputs = np.zeros((len(xs), 2))
    for t, x in enumerate(xs):
        z = sigmoid(w[0] @ x + u[0] @ h + b[0])
        r = sigmoid(w[1] @ x + u[1] @ h + b[1])
        candidate = np.tanh(w[2] @ x + u[2] @ (r * h) + b[2])
        h *= 1.0 - z
        h += z * candidate
        outputs[t, :] = h
    return outputs


@program([(wavy(4, 3), wavy(6, 3), wavy(6, 2))], analytic=True)
def blocked_attention(q, k, v):
    n, d = q.shape
    out = np.zeros((n, v.shape[1]))
    top = np.full(n, -1e30)
    total = np.zeros(n)
    for start in range(0, len(k), 2):
        block = slice(start, start + 2)
        scores = q @ k[block].T / np.sqrt(d)
        new_top = np.maximum(top, scores.max(axis=1))
        correction = np.exp(top - new_top)
        weights = np.exp(scores - new_top[:, None])
        total *= correction
        total += weights.sum(axis=1)
        out *= correction[:, None]
        out += weights @ v[block]
        top[:] = new_top
    out /= total[:, None]
    return out


@program([(wavy(4, 3),)], analytic=True)
def causal_softmax(scores):
    scores = scores[:, :3]
    scores[np.triu(np.ones(scores.shape, dtype=bool), 1)] = -1e9
    scores -= np.max(scores, axis=1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= np.sum(scores, axis=1, keepdims=True)
    return scores


@program([(wavy(3, 4, 2), wavy(2, low=0.5, high=1.5), wavy(2))])
def batch_norm_running(batches, gamma, beta):
    running_mean = np.zeros(2)
    running_var = np.ones(2)
    out = np.empty_like(batches)
    for step, x in enumerate(batches):
        mean = x.mean(axis=0)
        var = x.var(axis=0)
        out[step] = gamma * (x - mean) / np.sqrt(var + 1e-5) + beta
        running_mean *= 0.9
        running_mean += 0.1 * mean
        running_var[:] = 0.9 * running_var + 0.1 * var
    test = (batches[0] - running_mean) / np.sqrt(running_var)
    return np.sum(out**3) + np.sum(test**2)


@program([(wavy(3, 4), wavy(4, 4, phase=0.9), wavy(4, 2), 0.1)], analytic=True)
def perceptron_layer_list(x, w1, w2, leak):
    activations = [x]
    for w in (w1, w2):
        z = activations[-1] @ w
        z[z < 0] *= leak
        activations.append(z)
    out = activations[-1]
    out -= out.mean(axis=0)
    return np.sum(out**2) + np.sum(activations[1])


@program([(wavy(3), wavy(3, low=0.5, high=2.0), 0.1, 0.9)], analytic=True)
def momentum_descent(x, a, rate, mu):
    velocity = np.zeros_like(x)
    g = np.empty_like(x)
    for step in range(5):
        np.multiply(a, x, out=g)
        g += np.sin(x)
        velocity *= mu
        velocity -= rate * g
        x += velocity
    return 0.5 * np.sum(a * x**2)


@program([(wavy(3), wavy(4, 3), wavy(4), 0.1)], analytic=True)
def adam_loop(w, features, target, rate):
    m = np.zeros(3)
    v = np.zeros(3)
    b1, b2 = 0.9, 0.99
    for t in range(1, 5):
        residual = features @ w - target
        g = features.T @ residual
        m[:] = b1 * m + (1 - b1) * g
        v *= b2
        v += (1 - b2) * g * g
        w -= rate * (m / (1 - b1**t)) / (np.sqrt(v / (1 - b2**t)) + 1e-8)
    return np.sum((features @ w - target) ** 2)


@program([(wavy(3, 3), wavy(3))], analytic=True)
def dropout_and_clip(w, x):
    keep = np.array([True, False, True])
    for layer in range(3):
        x[~keep] = 0.0
        x[keep] /= 0.5
        x[:] = w @ x
        np.minimum(x, 0.9, out=x)
        keep = np.roll(keep, 1)
    return x


@program([(wavy(5, 2), wavy(4))], analytic=True)
def embedding_update(table, x):
    tokens = [3, 1, 3, 0]
    loss = 0.0
    for t, token in enumerate(tokens):
        row = table[token]
        loss += np.tanh(row[0] * x[t]) + row[1] ** 2
        row *= 0.9
        table[token, 0] += 0.1 * x[t]
    return loss + np.sum(table**2)

"""Networks, in one piece each."""

import numpy as np

from tests.programs.kernels.peers import jax

jnp = jax.numpy
sigmoid = jax.nn.sigmoid


def rnn(x, wx, wh, b):
    h = [jnp.zeros(3)]
    for row in x:
        h.append(jnp.tanh(wx @ row + wh @ h[-1] + b))
    return jnp.stack(h)


def lstm(x, wx, wh, b):
    h, c, total = jnp.zeros(2), jnp.zeros(2), 0.0
    for row in x:
        i, f, o, g = (wx @ row + wh @ h + b).reshape(4, 2)
        c = sigmoid(f) * c + sigmoid(i) * jnp.tanh(g)
        h = sigmoid(o) * jnp.tanh(c)
        total = total + h @ h
    return total + jnp.sum(c)


def gru(xs, w, u, b):
    h, out = jnp.zeros(2), []
    for x in xs:
        z, r = sigmoid(w[:2] @ x + u[:2] @ h + b[:2])
        h = (1 - z) * h + z * jnp.tanh(w[2] @ x + u[2] @ (r * h) + b[2])
        out.append(h)
    return jnp.stack(out)


def blocked_attention(q, k, v):
    return jax.nn.softmax(q @ k.T / np.sqrt(q.shape[1]), axis=1) @ v


def causal_softmax(scores):
    scores = scores[:, :3]
    return jax.nn.softmax(jnp.where(np.tri(4, 3, dtype=bool), scores, -1e9), axis=1)


def batch_norm_running(batches, gamma, beta):
    mean, var = batches.mean(axis=1), batches.var(axis=1)
    out = gamma * (batches - mean[:, None]) / jnp.sqrt(var[:, None] + 1e-5) + beta
    weights = 0.1 * 0.9 ** jnp.arange(2, -1, -1.0)
    running_mean, running_var = weights @ mean, 0.9**3 + weights @ var
    return jnp.sum(out**3) + jnp.sum((batches[0] - running_mean) ** 2 / running_var)


def momentum_descent(x, a, rate, mu):
    previous = x
    for step in range(5):
        x, previous = x + mu * (x - previous) - rate * (a * x + jnp.sin(x)), x
    return 0.5 * a @ x**2


def adam_loop(w, features, target, rate):
    def loss(w):
        return 0.5 * jnp.sum((features @ w - target) ** 2)

    m = v = jnp.zeros(3)
    for t in range(1, 5):
        g = jax.grad(loss)(w)
        m, v = 0.9 * m + 0.1 * g, 0.99 * v + 0.01 * g**2
        w = w - rate * (m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.99**t)) + 1e-8)
    return 2 * loss(w)

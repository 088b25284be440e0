"""A long short-term memory whose states and gates are stored into preallocated arrays.

autograd and JAX refuse item assignment: there the states have to be gathered in lists and stacked.
"""

from __future__ import annotations

import numpy as np

from tests.benchmarks.workload import Workload


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


def loss(x, wx, wh, b, wy, target):
    steps, batch, _ = x.shape
    n = len(wh)
    h = np.zeros((steps + 1, batch, n))
    c = np.zeros((steps + 1, batch, n))
    i = np.zeros((steps, batch, n))
    f = np.zeros((steps, batch, n))
    o = np.zeros((steps, batch, n))
    g = np.zeros((steps, batch, n))
    for t in range(steps):
        z = np.dot(x[t], wx) + np.dot(h[t], wh) + b
        i[t] = sigmoid(z[:, :n])
        f[t] = sigmoid(z[:, n : 2 * n])
        o[t] = sigmoid(z[:, 2 * n : 3 * n])
        g[t] = np.tanh(z[:, 3 * n :])
        c[t + 1] = f[t] * c[t] + i[t] * g[t]
        h[t + 1] = o[t] * np.tanh(c[t + 1])
    return np.mean((np.dot(h[steps], wy) - target) ** 2)


def loss_by_hand(x, wx, wh, b, wy, target):
    """Statement by statement; gates and states are there in their arrays, tanh(c) is recorded."""
    steps, batch, _ = x.shape
    n = len(wh)
    h = np.zeros((steps + 1, batch, n))
    c = np.zeros((steps + 1, batch, n))
    i = np.zeros((steps, batch, n))
    f = np.zeros((steps, batch, n))
    o = np.zeros((steps, batch, n))
    g = np.zeros((steps, batch, n))
    tanh_c = np.empty((steps, batch, n))
    for t in range(steps):
        z = np.dot(x[t], wx) + np.dot(h[t], wh) + b
        i[t] = sigmoid(z[:, :n])
        f[t] = sigmoid(z[:, n : 2 * n])
        o[t] = sigmoid(z[:, 2 * n : 3 * n])
        g[t] = np.tanh(z[:, 3 * n :])
        c[t + 1] = f[t] * c[t] + i[t] * g[t]
        tanh_c[t] = np.tanh(c[t + 1])
        h[t + 1] = o[t] * tanh_c[t]

    y_bar = (np.dot(h[steps], wy) - target) * (2.0 / target.size)
    wy_bar = np.dot(h[steps].T, y_bar)
    wx_bar = np.zeros_like(wx)
    wh_bar = np.zeros_like(wh)
    b_bar = np.zeros_like(b)
    h_bar = np.dot(y_bar, wy.T)
    c_bar = np.zeros((batch, n))
    z_bar = np.empty((batch, 4 * n))
    for t in range(steps - 1, -1, -1):
        c_bar += h_bar * o[t] * (1 - tanh_c[t] ** 2)
        z_bar[:, :n] = c_bar * g[t] * i[t] * (1 - i[t])
        z_bar[:, n : 2 * n] = c_bar * c[t] * f[t] * (1 - f[t])
        z_bar[:, 2 * n : 3 * n] = h_bar * tanh_c[t] * o[t] * (1 - o[t])
        z_bar[:, 3 * n :] = c_bar * i[t] * (1 - g[t] ** 2)
        c_bar *= f[t]
        wx_bar += np.dot(x[t].T, z_bar)
        wh_bar += np.dot(h[t].T, z_bar)
        b_bar += np.sum(z_bar, axis=0)
        h_bar = np.dot(z_bar, wh.T)
    return wx_bar, wh_bar, b_bar, wy_bar


def loss_tuned(x, wx, wh, b, wy, target):
    """Another order of the sums, all in buffers, with which the value differs by rounding.

    All products that do not depend on the state before are taken at once, for all steps.

    The four gates lie side by side, so the three sigmoids are one; a gate's adjoint takes the
    gate's place, and the adjoints of the weights are three products after the reverse sweep.
    """
    steps, batch, features = x.shape
    n = len(wh)
    flat = x.reshape(steps * batch, features)
    gates = np.dot(flat, wx).reshape(steps, batch, 4 * n)
    gates += b
    h = np.empty((steps + 1, batch, n))
    c = np.empty((steps + 1, batch, n))
    tanh_c = np.empty((steps, batch, n))
    product = np.empty((batch, 4 * n))
    ig = np.empty((batch, n))
    h[0] = 0.0
    c[0] = 0.0
    for t in range(steps):
        z = gates[t]
        z += np.dot(h[t], wh, out=product)
        s, g = z[:, : 3 * n], z[:, 3 * n :]
        np.negative(s, out=s)
        np.exp(s, out=s)
        s += 1.0
        np.reciprocal(s, out=s)
        np.tanh(g, out=g)
        np.multiply(z[:, n : 2 * n], c[t], out=c[t + 1])
        c[t + 1] += np.multiply(z[:, :n], g, out=ig)
        np.tanh(c[t + 1], out=tanh_c[t])
        np.multiply(z[:, 2 * n : 3 * n], tanh_c[t], out=h[t + 1])

    y_bar = np.dot(h[steps], wy)
    y_bar -= target
    y_bar *= 2.0 / y_bar.size
    wy_bar = np.dot(h[steps].T, y_bar)
    h_bar = np.dot(y_bar, wy.T)
    c_bar = np.zeros((batch, n))
    slope = np.empty((batch, 4 * n))
    part = np.empty((batch, n))
    wh_t = np.ascontiguousarray(wh.T)
    for t in range(steps - 1, -1, -1):
        z = gates[t]
        s, g = z[:, : 3 * n], z[:, 3 * n :]
        i, f, o = z[:, :n], z[:, n : 2 * n], z[:, 2 * n : 3 * n]
        # h[t + 1] = o[t] * np.tanh(c[t + 1])
        np.multiply(tanh_c[t], tanh_c[t], out=part)
        np.subtract(1.0, part, out=part)
        part *= o
        part *= h_bar
        c_bar += part
        h_bar *= tanh_c[t]
        # c[t + 1] = f[t] * c[t] + i[t] * g[t], and the gates
        np.multiply(z, z, out=slope)
        np.subtract(s, slope[:, : 3 * n], out=slope[:, : 3 * n])
        np.subtract(1.0, slope[:, 3 * n :], out=slope[:, 3 * n :])
        np.multiply(i, c_bar, out=part)
        np.multiply(g, c_bar, out=i)
        np.copyto(g, part)
        np.multiply(f, c_bar, out=part)
        np.multiply(c[t], c_bar, out=f)
        np.copyto(o, h_bar)
        z *= slope
        c_bar, part = part, c_bar
        # z = np.dot(x[t], wx) + np.dot(h[t], wh) + b
        np.dot(z, wh_t, out=h_bar)
    z_bar = gates.reshape(steps * batch, 4 * n)
    wx_bar = np.dot(flat.T, z_bar)
    wh_bar = np.dot(h[:-1].reshape(steps * batch, n).T, z_bar)
    b_bar = np.sum(z_bar, axis=0)
    return wx_bar, wh_bar, b_bar, wy_bar


def workloads(small=False):
    steps, batch, features, n, outputs = (4, 2, 3, 3, 2) if small else (100, 16, 32, 64, 8)
    rng = np.random.default_rng(0)
    arguments = (
        rng.standard_normal((steps, batch, features)),
        rng.standard_normal((features, 4 * n)) / np.sqrt(features),
        rng.standard_normal((n, 4 * n)) / np.sqrt(n),
        rng.standard_normal(4 * n),
        rng.standard_normal((n, outputs)) / np.sqrt(n),
        rng.standard_normal((batch, outputs)),
    )
    wrt = ("wx", "wh", "b", "wy")
    name = f"LSTM in place, {steps} steps, hidden {n}"
    hands = loss_by_hand, arguments, loss_tuned
    return [Workload(name, loss, wrt, *hands, refused=True, number=7)]

"""A perceptron with one hidden layer and a softmax: the benchmark of Tangent, at three widths."""

from __future__ import annotations

import numpy as np

from tests.benchmarks.workload import Workload


def logsumexp(x):
    return np.log(np.sum(np.exp(x), axis=1, keepdims=True))


def cross_entropy(logits, labels):
    return -np.sum((logits - logsumexp(logits)) * labels, axis=1)


def loss(x, w1, b1, w2, b2, labels):
    hidden = np.tanh(np.dot(x, w1) + b1)
    logits = np.dot(hidden, w2) + b2
    return np.mean(cross_entropy(logits, labels))


def loss_by_hand(x, w1, b1, w2, b2, labels):
    """Softmax minus labels; the labels of each row add up to one. Buffers are used again."""
    hidden = np.dot(x, w1)
    hidden += b1
    np.tanh(hidden, out=hidden)
    logits = np.dot(hidden, w2)
    logits += b2

    logits_bar = np.exp(logits, out=logits)
    logits_bar /= np.sum(logits_bar, axis=1, keepdims=True)
    logits_bar -= labels
    logits_bar /= len(x)
    b2_bar = np.sum(logits_bar, axis=0)
    w2_bar = np.dot(hidden.T, logits_bar)
    hidden_bar = np.dot(logits_bar, w2.T)
    hidden *= hidden
    np.subtract(1.0, hidden, out=hidden)
    hidden_bar *= hidden
    b1_bar = np.sum(hidden_bar, axis=0)
    w1_bar = np.dot(x.T, hidden_bar)
    return w1_bar, b1_bar, w2_bar, b2_bar


def workloads(small=False):
    return [_workload(width) for width in ((5,) if small else (10, 100, 1000))]


def _workload(width, batch=100, classes=10):
    rng = np.random.default_rng(0)
    arguments = (
        rng.standard_normal((batch, width)),
        rng.standard_normal((width, width)) / np.sqrt(width),
        rng.standard_normal(width),
        rng.standard_normal((width, classes)) / np.sqrt(width),
        rng.standard_normal(classes),
        np.eye(classes)[rng.integers(classes, size=batch)],
    )
    wrt = "w1", "b1", "w2", "b2"
    return Workload(f"MLP, width {width}", loss, wrt, loss_by_hand, arguments, number=5)

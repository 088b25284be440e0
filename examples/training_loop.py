"""Train a small network with gradients that are added up in buffers, by several threads.

    python examples/training_loop.py            # --source prints the generated code

The network learns f(x, y) = sin(2x) cos(y) from points on a grid. `backward(loss, model)` computes
the loss of some points and adds its gradient to the `grad` of each Parameter, as
`torch.autograd.backward` does. Each step shares the points out among four threads, all of which add
to the same buffers; then Adam takes a step, and the buffers are set to zero. The last line compares
what the threads added up with the gradient of the loss of all points at once.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from autodiff import Parameter, backward, grad

STEPS, RATE, SHARES = 400, 0.01, 4


@dataclass
class Layer:
    weights: Any
    bias: Any


def network(rng, sizes=(2, 24, 24, 1)):
    """Layers of parameters, the weights drawn at random."""
    return [
        Layer(Parameter(rng.standard_normal((n, m)) / np.sqrt(n)), Parameter(np.zeros(m)))
        for n, m in pairwise(sizes)
    ]


def predicted(model, x):
    for layer in model[:-1]:
        x = np.tanh(x @ layer.weights + layer.bias)
    return (x @ model[-1].weights + model[-1].bias)[:, 0]


def loss(model, x, y, count):
    """What these points contribute to the mean square of the residuals of `count` points."""
    return np.sum((predicted(model, x) - y) ** 2) / count


class Adam:
    """Kingma and Ba (2015): steps of the size `rate`, scaled by the gradients' moments."""

    def __init__(self, parameters, rate):
        self.parameters, self.rate, self.steps = parameters, rate, 0
        self.moments = [(np.zeros_like(p.value), np.zeros_like(p.value)) for p in parameters]

    def step(self):
        self.steps += 1
        for p, (mean, square) in zip(self.parameters, self.moments):
            mean += 0.1 * (p.grad - mean)
            square += 0.001 * (p.grad**2 - square)
            first, second = mean / (1 - 0.9**self.steps), square / (1 - 0.999**self.steps)
            p.value -= self.rate * first / (np.sqrt(second) + 1e-8)


def main():
    side = np.linspace(-1.5, 1.5, 20)
    x = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    y = np.sin(2 * x[:, 0]) * np.cos(x[:, 1])
    model = network(np.random.default_rng(0))
    accumulate = backward(loss, model)
    optimiser = Adam(accumulate.parameters, RATE)
    shares = [(x[k::SHARES], y[k::SHARES], len(x)) for k in range(SHARES)]
    with ThreadPoolExecutor(SHARES) as pool:
        for step in range(STEPS + 1):
            accumulate.zero_grad()
            value = sum(pool.map(lambda share: accumulate(*share), shares))
            if step % 100 == 0:
                print(f"step {step:3}: mean square of the residuals {value:.2e}")
            if step < STEPS:
                optimiser.step()
    if "--source" in sys.argv:
        print(accumulate.derivative.source)

    trained = [Layer(layer.weights.value, layer.bias.value) for layer in model]
    pure = grad(loss)(trained, x, y, len(x))
    together = sum(np.sum(layer.weights**2) + np.sum(layer.bias**2) for layer in pure)
    added = sum(np.sum(p.grad**2) for p in accumulate.parameters)
    print(f"norm of the gradient from {SHARES} threads: "
          f"{np.sqrt(added):.9e} (expected {np.sqrt(together):.9e})")  # fmt: skip


if __name__ == "__main__":
    main()

"""One gradient for each example of a small network, in one call: clipped, noised, added up.

    python examples/per_example_gradients.py            # --source prints the generated code

Training with differential privacy (DP-SGD, Abadi et al. 2016) bounds what one example can change:
the gradient of each is scaled down to a norm of at most 1 before they are averaged and noise is
added. `vmap(value_and_grad(loss), in_axes=(None, 0, 0))` gives these gradients, stacked, in the
structure of the parameters. The last line compares their mean with the gradient of the mean loss.
"""

from __future__ import annotations

import sys

import numpy as np

from autodiff import grad, value_and_grad, vmap

STEPS, RATE, CLIP, NOISE = 60, 0.5, 1.0, 0.01


def loss(parameters, x, label):
    """The cross entropy of one example: x is a vector, label a class."""
    hidden = np.tanh(x @ parameters["w"] + parameters["b"])
    scores = hidden @ parameters["v"]
    return np.log(np.sum(np.exp(scores))) - scores[label]


def mean_loss(parameters, xs, labels):
    hidden = np.tanh(xs @ parameters["w"] + parameters["b"])
    scores = hidden @ parameters["v"]
    right = scores[np.arange(len(labels)), labels]
    return np.mean(np.log(np.sum(np.exp(scores), axis=1)) - right)


def norms(gradients):
    """The norm of each example's gradient."""
    return np.sqrt(sum(np.sum(g.reshape(len(g), -1) ** 2, axis=1) for g in gradients.values()))


def main():
    rng = np.random.default_rng(0)
    centres = rng.standard_normal((3, 4))
    labels = rng.integers(0, 3, 200)
    xs = centres[labels] + 0.5 * rng.standard_normal((200, 4))
    parameters = {"w": rng.standard_normal((4, 8)) / 2, "b": np.zeros(8), "v": np.zeros((8, 3))}

    each = value_and_grad(loss)
    per_example = vmap(each, in_axes=(None, 0, 0))
    for step in range(STEPS):
        values, gradients = per_example(parameters, xs, labels)
        scale = 1.0 / np.maximum(1.0, norms(gradients) / CLIP)
        if step % 20 == 0:
            print(f"step {step:2}: loss {values.mean():.4f}, clipped {np.sum(scale < 1.0)} of 200")
        for name, own in gradients.items():
            noise = NOISE * CLIP * rng.standard_normal(own.shape[1:])
            parameters[name] = parameters[name] - RATE * (np.tensordot(scale, own, 1) / 200 + noise)
    if "--source" in sys.argv:
        print(each.source)

    _, gradients = per_example(parameters, xs, labels)
    whole = grad(mean_loss)(parameters, xs, labels)
    mean = np.sqrt(sum(np.sum(own.mean(axis=0) ** 2) for own in gradients.values()))
    expected = np.sqrt(sum(np.sum(own**2) for own in whole.values()))
    print(f"norm of the mean gradient: {mean:.9e} (expected {expected:.9e})")


if __name__ == "__main__":
    main()

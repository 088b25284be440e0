"""Logistic regression on the breast cancer data of scikit-learn, checked against scikit-learn.

    python examples/logistic_regression.py            # --source prints the generated code

569 tumours, 30 measurements each, benign or malignant. The parameters are a dict; so is the
gradient. Training is Nesterov's accelerated gradient descent; the answer is scikit-learn's.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression

from autodiff import grad

PENALTY = 0.01
EXPECTED = 0.099591


def loss(parameters, features, labels):
    """Mean negative log-likelihood of labels in {-1, +1}, plus a penalty on the weights."""
    weights, bias = parameters["weights"], parameters["bias"]
    margins = labels * (features @ weights + bias)
    return np.mean(np.logaddexp(0.0, -margins)) + 0.5 * PENALTY * np.sum(weights**2)


def train(gradient, parameters, features, labels, steps=1000, rate=0.5):
    """Nesterov's method: the gradient is taken a little ahead, where momentum leads."""
    previous = parameters
    for step in range(steps):
        momentum = step / (step + 3)
        ahead = {
            name: value + momentum * (value - previous[name]) for name, value in parameters.items()
        }
        slope = gradient(ahead, features, labels)
        previous = parameters
        parameters = {name: ahead[name] - rate * slope[name] for name in ahead}
        if (step + 1) % 250 == 0:
            print(f"step {step + 1:4d}: loss {loss(parameters, features, labels):.6f}")
    return parameters


def picture(path, names, weights):
    """The weight of every measurement."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - an optional extra

    order = np.argsort(weights)
    figure = Figure(figsize=(7, 7))
    axes = figure.subplots()
    axes.barh(np.asarray(names)[order], weights[order])
    axes.set(title="Weights: negative speaks for a malignant tumour")
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    print(f"picture: {path}")


def main():
    data = load_breast_cancer()
    features = (data.data - data.data.mean(axis=0)) / data.data.std(axis=0)
    labels = 2.0 * data.target - 1.0
    parameters = {"weights": np.zeros(features.shape[1]), "bias": 0.0}

    gradient = grad(loss)
    slope = gradient(parameters, features, labels)
    if "--source" in sys.argv:
        print(gradient.source)
    raised, lowered = ({**parameters, "bias": bias} for bias in (1e-5, -1e-5))
    difference = loss(raised, features, labels) - loss(lowered, features, labels)
    print(f"dloss/dbias: {slope['bias']:.8f}, finite differences {difference / 2e-5:.8f}")

    parameters = train(gradient, parameters, features, labels)
    predicted = np.sign(features @ parameters["weights"] + parameters["bias"])
    print(f"correct on the training data: {np.mean(predicted == labels):.4f}")

    reference = LogisticRegression(C=1 / (PENALTY * len(labels)), tol=1e-10, max_iter=10_000)
    reference.fit(features, labels)
    apart = np.max(np.abs(parameters["weights"] - reference.coef_[0]))
    print(f"largest difference to scikit-learn's weights: {apart:.1e}")
    try:
        picture(Path(__file__).with_suffix(".png"), data.feature_names, parameters["weights"])
    except ImportError:
        print("picture: skipped, matplotlib is not installed")
    print(f"loss: {loss(parameters, features, labels):.6f} (expected {EXPECTED:.6f})")


if __name__ == "__main__":
    main()

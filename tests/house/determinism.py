"""Prints the generated source of a few functions; run twice by test_determinism.py."""

from __future__ import annotations

import math

import numpy as np

from autodiff import grad, value_and_grad, vjp


def helper(x, k):
    return math.sin(x) * k if x > 0 else x * k


def branches(x, n):
    y = x
    total = 0.0
    for k in range(n):
        if y > 1.0:
            y = helper(y, k) - x
            total = total + y
        elif y < -1.0:
            break
        else:
            y = y * x + {"a": 1.0, "b": y}["b"]
    return total + y


def arrays(p, data):
    w, b = p["w"], p["b"]
    hidden = np.tanh(data @ w + b)
    return np.mean((hidden.sum(axis=1) - data[:, 0]) ** 2) + sum([np.sum(v * v) for v in (w, b)])


def several(a, b, c, x):
    names = {"a": a, "b": b, "c": c}
    result = x
    for name in ("c", "a", "b"):
        result = result * names[name] + x
    return result


def main() -> None:
    """Print source and stages of several derivatives."""
    derivatives = [
        (grad(branches), (2.0, 3)),
        (value_and_grad(branches), (2.0, 3)),
        (grad(arrays), ({"w": np.ones((3, 2)), "b": np.ones(2)}, np.ones((4, 3)))),
        (grad(several, ("c", "x", "a")), (1.0, 2.0, 3.0, 4.0)),
    ]
    for derivative, args in derivatives:
        derivative(*args)
        print(derivative.source)
        for name, text in derivative.stages():
            print(name, text, sep="\n")
    vjp(several, 1.0, 2.0, 3.0, 4.0)


if __name__ == "__main__":
    main()

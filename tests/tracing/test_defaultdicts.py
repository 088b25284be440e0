"""Second derivatives where a `defaultdict` makes items by itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autodiff import AutodiffError, grad, hessian, hvp, jacrev, jvp, vjp

KEYS = ["a", "b", "a", "c"]
X = np.array([0.3, 0.7, -0.4, 1.1])
V = np.array([1.0, 2.0, 3.0, -1.0])


def summed(x):
    d = defaultdict(float)
    for k in range(4):
        d[KEYS[k]] += x[k] ** 2
    d["b"] += d["a"] * d["nothing"]
    return d["a"] * d["b"]


def changed_in_turns(x):
    d = defaultdict(float)
    for k in range(4):
        d[k % 2] += x[k] ** 3
        d[k % 3] *= x[k]
        d[k] -= d[k % 2]
    return d[0] * d[1] * d[2]


def lists(x):
    d = defaultdict(list)
    for k in range(4):
        d[KEYS[k]].append(x[k] ** 2)
    return d["a"][1] * d["b"][0] * d["a"][0]


@pytest.mark.parametrize("f", [summed, changed_in_turns, lists], ids=lambda f: f.__name__)
def test_second_derivatives(f: Callable[..., Any]) -> None:
    gradient, h = grad(f), 1e-5
    expected = (gradient(X + h * V) - gradient(X - h * V)) / (2 * h)
    found = {
        "hvp": hvp(f)(X, V),
        "hessian": hessian(f)(X) @ V,
        "reverse over reverse": jacrev(gradient)(X) @ V,
        "forward over reverse": jvp(gradient, (X,), (V,))[1],
    }
    for order, product in found.items():
        np.testing.assert_allclose(product, expected, rtol=1e-6, atol=1e-8, err_msg=order)


def test_what_is_not_the_same_when_run_again():
    draw = np.random.default_rng(0)

    def drawn(x):
        d = defaultdict(float)
        d["a"] += x[0] * draw.normal()
        return d["a"] * x[0] * x[1]

    _, pullback = vjp(grad(drawn), X)
    with pytest.raises(AutodiffError, match="does not give the same twice"):
        pullback(V)

"""Third derivatives, in many orders, of functions whose buffers, lists and dicts change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autodiff import checkpointed, grad, hessian, hvp, jacobian, jvp, sparse_hessian


def buffers_swapped(x):
    a, b = x * 1.0, np.zeros_like(x)
    for _ in range(3):
        b[0] = a[-1] * a[0]
        b[1:] = np.sin(a[:-1]) * a[1:]
        a, b = b, a
    return np.sum(a * b)


def leapfrog(x):
    old, new = x * 1.0, x * 0.9
    for _ in range(3):
        old[1:-1] = 2.0 * new[1:-1] - old[1:-1] + 0.1 * np.sin(new[2:] + new[:-2])
        old, new = new, old
    return np.sum(new**2)


def buffers_in_a_dict(x):
    d = {"old": x * 1.0, "new": np.zeros_like(x)}
    for _ in range(3):
        d["new"][1:] = d["old"][:-1] ** 2 + x[1:]
        d["old"], d["new"] = d["new"], d["old"]
    return np.sum(d["old"] * d["new"])


def checkpointed_swap(x):
    a, b = x * 1.0, np.zeros_like(x)
    for _ in checkpointed(range(4), snapshots=2):
        b[1:-1] = a[:-2] * a[2:] + a[1:-1]
        a, b = b, a
    return np.sum(a**2)


def recurrence(x):
    ys = [x[0]]
    for i in range(4):
        ys.append(np.sin(ys[-1]) * x[i % 3] + ys[i])
    return ys[-1] * ys[2]


def whole(x):
    ys = []
    for i in range(3):
        ys.append(x[i] ** 3)
    return sum(ys) * ys[0]


def stack(x):
    st = [x[0], x[1], x[2]]
    while len(st) > 1:
        a = st.pop()
        b = st.pop()
        st.append(a * b + np.sin(a))
    return st[0] ** 2


def items_replaced(x):
    d = {}
    for i in range(3):
        d[i] = x[i] ** 2
    for k in range(2):
        d[k] = d[k + 1] * d[0]
    return sum(d.values()) * d[0]


def sorted_in_place(x):
    ys = [x[0] ** 2, x[1] ** 3, x[2]]
    ys.sort()
    return ys[0] * ys[1] ** 2 + ys[2] ** 3


class Sums:
    def __init__(self):
        self.items = []
        self.total = 0.0

    def add(self, v):
        self.items.append(v)
        self.total = self.total + v * self.items[0]


def of_an_object(x):
    sums = Sums()
    for i in range(3):
        sums.add(x[i] ** 2)
    return sums.total * sums.items[1]


def of_a_helper(x):
    y = x * 1.0
    for _ in range(2):
        y = helped(y) * 0.3 + x
    return np.sum(y)


def helped(x):
    d = {"u": x * 1.0, "s": 0.0}
    for _ in range(2):
        d["u"][1:] = np.sin(d["u"][:-1]) * d["u"][1:]
        d["s"] = d["s"] + d["u"][1] * d["u"][2]
    return d["u"] * d["s"]


FUNCTIONS = [
    buffers_swapped,
    leapfrog,
    buffers_in_a_dict,
    checkpointed_swap,
    recurrence,
    whole,
    stack,
    items_replaced,
    sorted_in_place,
    of_an_object,
    of_a_helper,
]
X = np.array([0.3, 0.7, -0.4, 1.1])
V = np.array([1.0, -0.5, 2.0, 0.3])
W = np.array([0.2, 1.5, -1.0, 0.7])


def thirds(f: Callable[..., Any]) -> dict[str, Callable[[], Any]]:
    """Along `V` and `W`, in which order soever."""
    gradient = grad(f)
    turned = grad(lambda y: np.sum(grad(f)(y) * V))
    slope = grad(lambda y: jvp(f, (y,), (V,))[1])
    return {
        "grad grad grad": lambda: grad(lambda z: np.sum(turned(z) * W))(X),
        "jvp grad grad": lambda: jvp(turned, (X,), (W,))[1],
        "jvp hvp": lambda: jvp(lambda z: hvp(f)(z, V), (X,), (W,))[1],
        "grad hvp": lambda: grad(lambda z: np.sum(hvp(f)(z, V) * W))(X),
        "grad jvp grad": lambda: grad(lambda z: np.sum(jvp(gradient, (z,), (V,))[1] * W))(X),
        "grad grad jvp": lambda: grad(lambda z: np.sum(slope(z) * W))(X),
        "jacobian hessian": lambda: jacobian(hessian(f))(X) @ W @ V,
    }


@pytest.mark.heavy
@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_all_orders_agree_with_differences(f: Callable[..., Any]) -> None:
    product, h = hvp(f), 1e-4
    near, far = ((product(X + t * W, V) - product(X - t * W, V)) / (2 * t) for t in (h, 2 * h))
    expected = (4 * near - far) / 3
    for order, third in thirds(f).items():
        np.testing.assert_allclose(third(), expected, rtol=1e-6, atol=1e-6, err_msg=order)


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_hessians_of_a_component_of_the_gradient(f: Callable[..., Any]) -> None:
    found = hessian(lambda z: grad(f)(z)[0])(X)
    np.testing.assert_allclose(found, found.T, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(found, jacobian(hessian(f))(X)[0], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_sparse_hessians_miss_nothing(f: Callable[..., Any]) -> None:
    np.testing.assert_allclose(sparse_hessian(f)(X).toarray(), hessian(f)(X), atol=1e-12)

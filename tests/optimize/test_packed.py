"""Short vectors that are filled number by number."""

from __future__ import annotations

import gast
import numpy as np
import pytest

from autodiff import check_grads, grad, hessian
from autodiff.optimize.facts import Facts
from autodiff.optimize.packed import packed
from tests.optimize.running import check, tree_of

SIZES = {"v": (3,), "w": (2,), "n": ("n0",), "m": (2, 2), "long": (9,)}


def shape_of(node: gast.expr) -> tuple[object, ...] | None:
    return SIZES.get(node.id.removesuffix("_bar")) if isinstance(node, gast.Name) else None


def facts() -> Facts:
    return Facts(
        frozenset(f"{name}_bar" for name in SIZES),
        double=lambda node: "k" not in {n.id for n in gast.walk(node) if hasattr(n, "id")},
        shape=shape_of,
        wide=lambda node: shape_of(node) is not None,
    )


def reverse(text: str) -> str:
    lines = "\n    ".join(text.strip().splitlines())
    return f"def f(v, w, n, m, long, x, y, k):\n    'Reverse sweep'\n    {lines}\n"


FILLED = {
    "two numbers": (
        "w_bar = np.zeros_like(w)\nw_bar[0] -= x\nt = 2 * x\nw_bar[1] = t\nw_bar[0] += t * y\n"
        "return w_bar",
        "w_0_bar = -x\nt = 2 * x\nw_1_bar = t\nw_0_bar += t * y\n"
        "w_bar = np.array([w_0_bar, w_1_bar])\nreturn w_bar",
    ),
    "from the end": (
        "w_bar = np.zeros_like(w)\nw_bar[-1] += x\nw_bar[-2] += y\nreturn w_bar",
        "w_1_bar = x\nw_0_bar = y\nw_bar = np.array([w_0_bar, w_1_bar])\nreturn w_bar",
    ),
    "one of three is zero": (
        "v_bar = np.zeros(3)\nv_bar[2] += x\nv_bar[0] += y\nreturn v_bar",
        "v_2_bar = x\nv_0_bar = y\nv_bar = np.array([v_0_bar, 0.0, v_2_bar])\nreturn v_bar",
    ),
    "then used": (
        "w_bar = np.zeros_like(w)\nw_bar[1] += x\nw_bar[0] += y\ns = w_bar[0]\nw_bar[0] += s\n"
        "return w_bar",
        "w_1_bar = x\nw_0_bar = y\nw_bar = np.array([w_0_bar, w_1_bar])\ns = w_bar[0]\n"
        "w_bar[0] += s\nreturn w_bar",
    ),
}

LEFT = {
    "one of two": "w_bar = np.zeros_like(w)\nw_bar[0] += x\nreturn w_bar",
    "too long": "long_bar = np.zeros_like(long)\nlong_bar[0] += x\nlong_bar[1] += x",
    "of unknown length": "n_bar = np.zeros_like(n)\nn_bar[0] += x\nn_bar[1] += x\nreturn n_bar",
    "a matrix": "m_bar = np.zeros_like(m)\nm_bar[0] += x\nm_bar[1] += x\nreturn m_bar",
    "no number": "w_bar = np.zeros_like(w)\nw_bar[0] += k\nw_bar[1] += x\nreturn w_bar",
    "by a variable": "w_bar = np.zeros_like(w)\nw_bar[0] += x\nw_bar[i] += y\nreturn w_bar",
    "out of bounds": "w_bar = np.zeros_like(w)\nw_bar[0] += x\nw_bar[2] += y\nreturn w_bar",
    "in a branch": "w_bar = np.zeros_like(w)\nw_bar[0] += x\nif y:\n        w_bar[1] += y\n"
    "return w_bar",
    "empty": "v_bar = np.empty_like(v)\nv_bar[0] = x\nv_bar[1] = y\nreturn v_bar",
    "reads itself": "w_bar = np.zeros_like(w)\nw_bar[0] += x\nw_bar[1] += w_bar[0]\nreturn w_bar",
}


@pytest.mark.parametrize(("before", "after"), FILLED.values(), ids=FILLED)
def test_filled(before: str, after: str) -> None:
    check(packed(tree_of(reverse(before)), facts()), reverse(after))


@pytest.mark.parametrize("text", LEFT.values(), ids=LEFT)
def test_left(text: str) -> None:
    tree = tree_of(reverse(text))
    assert packed(tree, facts()) is tree


def stepped(y, mu, h, n):
    for _ in range(n):
        middle = y + 0.5 * h * np.array([y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]])
        y = y + h * np.array([middle[1], mu * (1 - middle[0] ** 2) * middle[1] - middle[0]])
    return np.sum(y**2)


def unpacked(p):
    a, b, c = p
    return a * np.exp(-b) + a * c**2


def test_end_to_end() -> None:
    y, p = np.array([0.3, -1.2]), np.array([0.5, 1.5, -0.7])
    check_grads(stepped, y, 0.7, 0.1, 3, order=2)
    check_grads(unpacked, p, order=2)
    assert "zeros" not in grad(unpacked).source_for(p)
    assert grad(unpacked)(p.astype("float32")).dtype == np.float32
    np.testing.assert_array_equal(hessian(unpacked)(p), hessian(unpacked, packed=False)(p))

"""What is put into lists of zeros."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import check_grads, grad
from autodiff.optimize.facts import Facts
from autodiff.optimize.first_items import first_items
from tests.optimize.running import check, tree_of


def facts() -> Facts:
    return Facts(
        frozenset(("ws_bar", "t")),
        pure=lambda call: True,
        double=lambda node: getattr(node, "id", "") == "x",
        wide=lambda node: getattr(node, "id", "") != "k",
    )


def reverse(text: str) -> str:
    lines = "\n    ".join(text.strip().splitlines())
    return f"def f(ws, vs, h, n, x, k):\n    'Reverse sweep'\n    {lines}\n"


LOOP = """
ws_bar = zeros_like(ws)
for i in reversed(range(len(ws))):
    {}
return [ws_bar[0].copy(), ws_bar[1].copy()]
"""
ZEROS = LOOP.replace("{}", "ws_bar[i] = h * 2.0")
NONE = ZEROS.replace("zeros_like(ws)", "[None] * len(ws)").replace(".copy()", "")


def test_each_item_once() -> None:
    before = LOOP.format("ws_bar[i] = accumulate(ws_bar[i], h * 2.0)")
    check(first_items(tree_of(reverse(before)), facts()), reverse(NONE))


def test_a_pair() -> None:
    before = LOOP.format("ws_bar[i] = accumulate(ws_bar[i], (h * 2.0, x))")
    check(
        first_items(tree_of(reverse(before)), facts()),
        reverse(NONE.replace("h * 2.0", "(h * 2.0, x)")),
    )


def test_a_temporary() -> None:
    before = LOOP.format("t = h * 2.0\n    ws_bar[i] = accumulate(ws_bar[i], t)")
    after = NONE.replace("ws_bar[i] = h * 2.0", "t = h * 2.0\n    ws_bar[i] = t")
    check(first_items(tree_of(reverse(before)), facts()), reverse(after))


def test_items_that_are_left_out() -> None:
    before = LOOP.format("ws_bar[i] = accumulate(ws_bar[i], h * 2.0)").replace("len(ws)", "n")
    after = ZEROS.replace("len(ws)", "n")
    check(first_items(tree_of(reverse(before)), facts()), reverse(after))


def test_one_item_in_two_results() -> None:
    before = LOOP.format("ws_bar[i] = accumulate(ws_bar[i], h * 2.0)")
    before = before.replace("ws_bar[1].copy()", "ws_bar[0].copy()")
    after = ZEROS.replace("zeros_like(ws)", "[None] * len(ws)")
    after = after.replace("ws_bar[1].copy()", "ws_bar[0].copy()")
    check(first_items(tree_of(reverse(before)), facts()), reverse(after))


LEFT = {
    "memory of others": LOOP.format("ws_bar[i] = accumulate(ws_bar[i], h)"),
    "a view": LOOP.format("ws_bar[i] = accumulate(ws_bar[i], h[1:])"),
    "other elements": LOOP.format("ws_bar[i] = accumulate(ws_bar[i], k)"),
    "a temporary that changes": LOOP.format(
        "t = h * 2.0\n    ws_bar[i] = accumulate(ws_bar[i], t)\n    t += x"
    ),
    "another item": LOOP.format("ws_bar[i] = accumulate(ws_bar[0], h * 2.0)"),
    "twice": LOOP.format(
        "ws_bar[i] = accumulate(ws_bar[i], h * 2.0)\n    "
        "ws_bar[i] = accumulate(ws_bar[i], h * 2.0)"
    ),
    "in a branch": LOOP.format("if x:\n        ws_bar[i] = accumulate(ws_bar[i], h * 2.0)"),
    "in a loop": LOOP.format(
        "for j in range(n):\n        ws_bar[i] = accumulate(ws_bar[i], h * 2.0)"
    ),
    "a counter that changes": LOOP.format(
        "i = i // 2\n    ws_bar[i] = accumulate(ws_bar[i], h * 2.0)"
    ),
    "from an offset": LOOP.format("ws_bar[i] = accumulate(ws_bar[i], h * 2.0)").replace(
        "range(len(ws))", "range(-1, n)"
    ),
}


@pytest.mark.parametrize("text", LEFT.values(), ids=LEFT)
def test_left(text: str) -> None:
    tree = tree_of(reverse(text))
    assert first_items(tree, facts()) is tree


def test_a_list_that_grows_before_the_loop() -> None:
    text = LOOP.format("ws_bar[i] = accumulate(ws_bar[i], h * 2.0)")
    text = text.replace("\nfor", "\nws = vs\nfor")
    new = first_items(tree_of(reverse(text)), facts())
    check(new, reverse(ZEROS.replace("\nfor", "\nws = vs\nfor")))


def network(weights, x):
    h = x
    for w in weights:
        h = np.tanh(h @ w)
    return np.sum(h)


def pairs(layers, x):
    h = x
    for w, b in layers:
        h = np.tanh(h @ w + b)
    return np.sum(h**2) + sum([np.sum(b**2) for _, b in layers])


def zipped(ws, bs, x):
    for w, b in zip(ws, bs):
        x = np.tanh(x @ w + b)
    return np.sum(x)


def test_end_to_end() -> None:
    random = np.random.default_rng(0)
    shapes = (3, 4), (4, 2), (2, 5)
    ws = [random.normal(size=shape) for shape in shapes]
    bs = [random.normal(size=shape[1]) for shape in shapes]
    x = random.normal(size=(6, 3))
    check_grads(network, ws, x, order=2)
    check_grads(pairs, list(zip(ws, bs)), x, order=2)
    assert "zeros_like" not in grad(network).source_for(ws, x)


def test_results_share_no_memory() -> None:
    w = np.array([[0.3, -0.2], [0.5, 0.1]])
    x = np.array([[1.0, 2.0]])
    first, second, third = grad(zipped)([w, w, w], [np.zeros(2)], x)
    assert not np.shares_memory(second, third)
    assert not np.shares_memory(first, second)
    one, two = grad(network)([w, w], x)
    assert not np.shares_memory(one, two)


def test_lists_of_one_number() -> None:
    def total(x, n):
        return sum([x**k for k in range(n)])

    check_grads(total, 0.7, 4, order=2)
    assert "[1.0] * len(items)" in grad(total).source_for(0.7, 4)

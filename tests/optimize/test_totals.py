"""Contributions of one statement as the sum that they are."""

from __future__ import annotations

import gast
import numpy as np
import pytest

from autodiff import check_grads, grad
from autodiff.optimize.facts import Facts
from autodiff.optimize.totals import totals
from tests.optimize.running import text_of, tree_of

FACTS = Facts(
    frozenset(("t", "u", "s", "a_bar")),
    pure=lambda call: True,
    scalar=lambda node: "a" not in names(node),
    inexact=lambda node: "a" not in names(node),
    shape=lambda node: ("n",) if "a" in names(node) else None,
    wide=lambda node: "a" in names(node),
)


def names(node: gast.expr) -> str:
    return "".join(n.id for n in gast.walk(node) if isinstance(n, gast.Name))


def written(*lines: str) -> list[str]:
    """What becomes of statements in the reverse sweep."""
    body = "\n".join(f" {line}" for line in ("'# '", "'Reverse sweep'", *lines))
    tree = totals(tree_of(f"def f(a, x):\n{body}\n"), FACTS)
    return [line.strip() for line in text_of(tree).splitlines()[3:]]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["t = x * y", "t += y"], ["t = x * y + y"]),
        (["t = x * y", "t -= y", "t += z"], ["t = x * y - y + z"]),
        (["t = -x", "t += y"], ["t = y - x"]),
        (["t = x", "t += y"], ["t = x + y"]),
        (["if x:", "    t = x", "    t += y"], ["if x:", "t = x + y"]),
        (["a_bar = a * x", "a_bar += a"], ["a_bar = a * x + a"]),
        (["a_bar = a", "a_bar += a * x"], None),  # in place of the other's memory
        (["a_bar = a * x", "a_bar += x"], None),  # of another shape
        (["t = x", "'# y = 2 * x'", "t += y"], None),
        (["t[0] = x", "t[0] += y"], ["t[0] = x + y"]),
        (["t[0] = x", "t[1] += y"], None),
        (["t[0] = x", "t[0] += z[1]"], None),  # which may be the same memory
        (["t = x", "t += t * y"], None),
        (["t = x", "t *= y"], None),
        (["z = x", "z += y"], None),  # the user's own
        (["t = x", "u += y"], None),
        (["t = x" + " * x" * 25, "t += y"], None),
        (["t += x", "t += y"], ["t += x + y"]),
        (["t += x", "t -= y"], ["t += x - y"]),
        (["t -= x", "t -= y"], ["t -= x + y"]),
        (["t -= x", "t += y"], ["t += y - x"]),
        (["t = x", "u = y * y", "t += u"], ["u = y * y", "t = x + u"]),
        (["t -= x", "u += y", "t += u"], ["u += y", "t += u - x"]),
        (["t = x", "u = t * y", "t += u"], None),  # u reads what t is before
        (["t = u", "u = y", "t += y"], None),  # another u
        (["t = x", "t[0] = y", "t += y"], None),
        (["t += x", "g(y)", "t += y"], None),
        (["t += x", "if y:", "    u = y", "t += y"], None),
        (["a_bar = a * x", "u = y", "a_bar += a"], None),  # only numbers move
        (["a_bar += a", "a_bar += a * x"], None),  # in place, twice
    ],
)
def test_two_statements(before: list[str], after: list[str] | None) -> None:
    assert written(*before) == (after or [line.strip() for line in before])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["t[0] += x", "t[1] += y", "t[0] -= z"], ["t[1] += y", "t[0] += x - z"]),
        (["t[k] -= x", "t[j] += y", "t[k] -= z"], ["t[j] += y", "t[k] -= x + z"]),
        (["t[k] = x", "u = y", "t[k] += u"], ["u = y", "t[k] = x + u"]),
        (["t[k] = x", "t[j] += y", "t[k] += z"], None),  # j may be k
        (["t[k] += x", "t[j] = y", "t[k] += z"], None),
        (["t[k] += x", "t[j] *= y", "t[k] += z"], None),
        (["t[k] += x", "u = t[j]", "t[k] += u"], None),
        (["t[k] += x", "t[j] += t[k]", "t[k] += z"], None),
        (["t[k] += t[j]", "t[j] += y", "t[k] += z"], None),
        (["t[k] += x", "k = y", "t[k] += z"], None),
        (["t[k] += z[0]", "t[j] += y", "t[k] += x"], ["t[j] += y", "t[k] += z[0] + x"]),
        (["t[k] += z[0]", "z[0] = y", "t[k] += x"], None),
        (["s[k] += x", "s[j] += y", "s[k] += z"], None),  # may have another name
        (["t[k] += z[0]", "a_bar += a", "t[k] += x"], None),  # in place, where z may be
    ],
)
def test_slots(before: list[str], after: list[str] | None) -> None:
    made = "t = np.zeros(3)"
    assert written(made, *before) == [made, *(after or before)]


def test_the_forward_sweep_stays() -> None:
    tree = tree_of("def f(t, x):\n t = x * 2\n t += x\n return t\n")
    assert totals(tree, FACTS) is tree


def product(x, y):
    return np.sum(x * np.sin(x) * y) + np.sum(x / y)


def test_end_to_end() -> None:
    x, y = np.array([0.3, 1.2, -0.4]), np.array([1.1, 0.7, 2.0])
    check_grads(product, x, y)
    check_grads(product, 0.3, 1.1)
    source = grad(product).source_for(0.3, 1.1)
    assert "+=" not in source
    plain = grad(product, (0, 1), totals=False)(x, y)
    for own, other in zip(grad(product, (0, 1))(x, y), plain):
        np.testing.assert_array_equal(own, other)

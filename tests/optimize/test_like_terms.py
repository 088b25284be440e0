"""Terms of a sum that differ in a constant factor only."""

from __future__ import annotations

import gast
import numpy as np
import pytest

from autodiff import check_grads, grad
from autodiff.optimize.facts import Facts
from autodiff.optimize.like_terms import like_terms
from tests.optimize.running import text_of, tree_of


def is_array(node: gast.expr) -> bool:
    return any(isinstance(n, gast.Name) and n.id == "a" for n in gast.walk(node))


def is_plain(node: gast.expr) -> bool:
    return not any(isinstance(n, gast.Name) and n.id == "k" for n in gast.walk(node))


FACTS = Facts(
    frozenset("t"),
    pure=lambda call: getattr(call.func, "id", "") != "f",
    scalar=lambda node: not is_array(node),
    inexact=lambda node: is_plain(node) and not is_array(node),
    signed=is_plain,
    wide=is_array,
)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x + x", "2.0 * x"),
        ("0.5 * x + x * 0.5", "x"),
        ("x * y * x - x * x * 3.0 * y + z", "z - 2.0 * x * y * x"),
        ("x / y + x / y", "2.0 * x / y"),
        ("-x * y - y * x", "-(2.0 * x * y)"),
        ("z - x * y - y * x", "z - 2.0 * x * y"),
        ("a * x + x * a", "2.0 * a * x"),
        ("0.5 * a + a * 0.5 + y * a", "a + y * a"),
        ("np.sin(x + x)", "np.sin(2.0 * x)"),
        ("0.5 * a + a * 0.5", "1.0 * a"),  # not another name for an array
        ("-(0.5 * a) - a * 0.5", "-a"),
        ("-(2.0 * x * y) - y * x + z", "z - 3.0 * x * y"),
        ("x - x", None),  # infinity minus infinity
        ("x / y + x / z", None),
        ("x / y + x * y", None),
        ("1 / x + 1 / x", None),
        ("k * x + x * k", None),  # whose numbers may be integers of few bits
        ("0.1 * x + 0.2 * x", None),  # a constant of many digits
        ("f(x) + f(x)", None),
        ("x * y + x", None),
    ],
)
def test_sums(before: str, after: str | None) -> None:
    assert text_of(like_terms(in_reverse(before), FACTS)) == text_of(in_reverse(after or before))


def in_reverse(expression: str) -> gast.FunctionDef:
    return tree_of(f"def g(a, x, y, z, k):\n '# '\n 'Reverse sweep'\n t = {expression}\n")


def energy(q, p, m):
    return 0.5 * (p[0] * p[0] + p[1] * p[1]) / m + 0.5 * q[0] * q[0] * q[1] + 0.5 * m * q[1] * q[1]


def test_end_to_end() -> None:
    q, p = np.array([0.3, -1.2]), np.array([0.7, 0.4])
    check_grads(energy, q, p, 1.3, order=2)
    assert "0.5" not in grad(lambda v: 0.5 * v * v).source_for(1.0)
    plain = grad(energy, (0, 1, 2), like_terms=False)(q, p, 1.3)
    for own, other in zip(grad(energy, (0, 1, 2))(q, p, 1.3), plain):
        np.testing.assert_allclose(own, other, rtol=1e-14)

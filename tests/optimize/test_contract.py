"""Sums that move into matrix products, and constants that come together."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np
import pytest

from autodiff import grad
from autodiff.optimize.constants import constants
from autodiff.optimize.contract import contract
from autodiff.optimize.facts import Facts
from autodiff.optimize.methods import methods
from tests.optimize.running import check, text_of, tree_of

RANKS = {"a": 2, "b": 2, "stack": 3, "v": 1}


def shape(node: gast.expr) -> tuple[Any, ...] | None:
    """Ranks by the names that an expression holds; sizes are not told."""
    if isinstance(node, gast.Subscript):
        return (None,) * 3
    if isinstance(node, gast.BinOp) and isinstance(node.op, gast.MatMult):
        if getattr(node.right, "id", "") == "v":
            return (None,)
    found = [RANKS[n.id] for n in gast.walk(node) if isinstance(n, gast.Name) and n.id in RANKS]
    return (None,) * max(found) if found else None


def is_signed(node: gast.expr) -> bool:
    return not isinstance(node, gast.Name) or node.id != "n"


FACTS = Facts(
    exact=False,
    pure=lambda call: True,
    signed=is_signed,
    scalar=lambda node: getattr(node, "id", "") in ("s", "u"),
    double=lambda node: isinstance(node, gast.Name) and node.id == "s",
    native=lambda node: getattr(node, "id", "") == "s",
    shape=shape,
)


def written(value: str, step: Any) -> str:
    """What becomes of an expression in the reverse sweep."""
    tree = step(tree_of(f"def f(a, b):\n '# '\n 'Reverse sweep'\n return {value}\n"), FACTS)
    return text_of(tree).splitlines()[-1].removeprefix("    return ")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("np.sum(a @ b, axis=0)", "np.sum(a, axis=0) @ b"),
        ("-np.sum(a @ b, axis=-2, keepdims=True)", "-(np.sum(a, axis=-2, keepdims=True) @ b)"),
        ("np.sum(stack @ b, axis=1)", "(np.sum(stack, axis=1, keepdims=True) @ b)[:, 0]"),
        ("np.sum(a @ b, axis=1)", None),
        ("np.sum(a @ b)", None),
        ("np.sum(a @ v, axis=0)", None),
        ("np.sum(v @ b, axis=0)", None),
        ("np.sum(a @ stack, axis=1)", None),
        ("np.sum(a @ b, axis=(0,))", None),
        ("np.sum(a @ b, axis=0, where=s)", None),
        ("np.sum(a * b, axis=0)", None),
    ],
)
def test_sums_of_rows(before: str, after: str | None) -> None:
    assert written(before, contract) == (after or before)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("(-a * 0.5)[..., None] * (2 * stack)", "-a[..., None] * stack"),
        ("a[:, None] * (2 * stack)", "2 * a[:, None] * stack"),
        ("s * a * 2", "2 * s * a"),
        ("s / 2 * 2", "s"),
        ("2 * s * a * 0.5 / b", "s * a / b"),
        ("3 * (a / 2) * 5", "7.5 * a"),
        ("u * s * s", "s * s * u"),
        ("u * s * u", None),
        ("u / s * s", None),
        ("u * a * s", None),
        ("a * (2 * b)", None),
        ("2 * a", None),
        ("a / 3 * 2", None),
        ("0.1 * a * 0.1 * b", None),
        ("0.5 * n * 2", None),
        ("a[0] * (2 * stack)", None),
        ("2 / a * 2", None),
        ("a / (2 * b) * 2", "a / b"),
        ("2 * (1.0 / s) * a", "2.0 / s * a"),
        ("a / (3 * b) * 2", None),
    ],
)
def test_constants(before: str, after: str | None) -> None:
    assert written(before, constants) == (after or before)


def test_the_forward_sweep_stays() -> None:
    tree = tree_of("def f(a, b):\n a = 2 * a * 2\n b = np.sum(a @ b, axis=0)\n return b\n")
    assert constants(tree, FACTS) is tree
    assert contract(tree, FACTS) is tree


def test_a_pullback_is_a_reverse_sweep() -> None:
    tree = tree_of("def f(a):\n def pullback(s):\n  return 2 * a * 2\n return pullback\n")
    facts = Facts(frozenset(["pullback"]), signed=is_signed, shape=shape)
    check(
        constants(tree, facts),
        "def f(a):\n\n def pullback(s):\n  return 4 * a\n return pullback\n",
    )


def distances(points: Any, centres: Any, turned: Any) -> Any:
    return 0.5 * np.sum(((points - centres[:, None, :]) @ turned) ** 2)


def test_a_program() -> None:
    rng = np.random.default_rng(0)
    arguments = rng.normal(size=(7, 2)), rng.normal(size=(3, 2)), rng.normal(size=(3, 2, 2))
    wrt = ("points", "centres", "turned")
    off = {"contract": False, "constants": False}
    for new, old in zip(
        grad(distances, wrt)(*arguments), grad(distances, wrt, **off)(*arguments)
    ):
        assert new.shape == old.shape
        np.testing.assert_allclose(new, old, rtol=1e-13)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("np.sum(a, axis=0)", "a.sum(axis=0)"),
        ("-np.sum(stack)", "-stack.sum()"),
        ("np.sum(a * b)", None),
        ("np.sum(s)", None),
        ("numeric.sum(a)", None),
        ("np.mean(a)", None),
    ],
)
def test_sums_as_methods(before: str, after: str | None) -> None:
    assert written(before, methods) == (after or before)

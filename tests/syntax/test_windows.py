"""Windows: their root, the same window of another array, and two indices as one."""

from __future__ import annotations

import ast

import gast
import numpy as np
import pytest

from autodiff.syntax.windows import composed, is_window, rebased, root


def expression(text: str) -> gast.expr:
    return gast.parse(text, mode="eval").body


def text_of(node: gast.AST) -> str:
    return ast.unparse(gast.gast_to_ast(node))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("u", "u"),
        ("u[1:]", "u"),
        ("u[i][j]", "u"),
        ("u.T", "u"),
        ("u.T[0].real", "u"),
        ("u.reshape(-1)[0]", "u"),
        ("u[w[0]]", "u"),
        ("np.ravel(u)", "np"),  # a method of the name, as far as the text goes
        ("f(u)[0]", None),
        ("f(u).T", None),
        ("(u + w)[0]", None),
        ("1.0", None),
        ("(u, w)[0]", None),
    ],
)
def test_root(text: str, expected: str | None) -> None:
    assert root(expression(text)) == expected
    assert is_window(expression(text)) == (expected is not None)


@pytest.mark.parametrize(
    ("window", "expected"),
    [
        ("u", "v.w"),
        ("u[i]", "v.w[i]"),
        ("u[u[0]]", "v.w[u[0]]"),
        ("u[1:].T", "v.w[1:].T"),
        ("u.swapaxes(0, 1)[i]", "v.w.swapaxes(0, 1)[i]"),
    ],
)
def test_rebased(window: str, expected: str) -> None:
    target = gast.parse(f"{window} = 0").body[0].targets[0]
    before = gast.dump(target)
    new = rebased(target, expression("v.w"))
    assert text_of(new) == expected
    assert gast.dump(target) == before
    assert not any(isinstance(getattr(n, "ctx", None), gast.Store) for n in gast.walk(new))


COMPOSED = {
    # numbers and whole axes take an index of numbers and slices
    ("a[i]", "j"): "a[i, j]",
    ("a[i]", "1:"): "a[i, 1:]",
    ("a[i]", "j, k"): "a[i, j, k]",
    ("a[i]", ":, 2"): "a[i, :, 2]",
    ("a[-1]", "-1"): "a[-1, -1]",
    ("a[:, j]", "1:"): "a[1:, j]",
    ("a[:, j]", "i"): "a[i, j]",
    ("a[:, j]", "i, k"): "a[i, j, k]",
    ("a[:, :, j]", "i"): "a[i, :, j]",
    ("a[i, :]", "1:"): "a[i, 1:]",
    ("a[:]", "i"): "a[i]",
    ("a[i, j]", "k"): "a[i, j, k]",
    ("a[1:-1]", "..."): "a[1:-1]",
    ("a[i]", "..."): "a[i]",
    ("a[index]", "..."): "a[index]",
    # a slice that is not the whole axis counts from somewhere else
    ("a[1:]", "i"): "a[1:][i]",
    ("a[1:]", "1:"): "a[1:][1:]",
    ("a[:-1]", "i"): "a[:-1][i]",
    ("a[::2]", "i"): "a[::2][i]",
    ("a[i, 1:]", "j"): "a[i, 1:][j]",
    # axes that are no axes of the array, or that the other index would take apart
    ("a[None]", "i"): "a[None][i]",
    ("a[...]", "i"): "a[...][i]",
    ("a[..., j]", "i"): "a[..., j][i]",
    ("a[i]", "None"): "a[i][None]",
    ("a[i]", "..., j"): "a[i][..., j]",
    # what copies, or is not known
    ("a[i]", "index"): "a[i][index]",
    ("a[index]", "i"): "a[index][i]",
    ("a[i]", "index, j"): "a[i][index, j]",
    ("a[flag]", "i"): "a[flag][i]",
    ("a[i]", "flag"): "a[i][flag]",
    # no subscript
    ("a", "i"): "a[i]",
    ("a", "..."): "a[...]",
    ("a.T", "i"): "a.T[i]",
    ("a.T[i]", "j"): "a.T[i, j]",
    ("a.reshape(-1)", "i"): "a.reshape(-1)[i]",
}

VALUES = {"i": 1, "j": 0, "k": 1, "index": np.array([1, 0]), "flag": np.array([True, False])}


def is_number(node: gast.expr) -> bool:
    negative = isinstance(node, gast.UnaryOp) and isinstance(node.operand, gast.Constant)
    constant = isinstance(node, gast.Constant) and isinstance(node.value, int)
    return negative or constant or isinstance(node, gast.Name) and node.id in ("i", "j", "k")


@pytest.mark.parametrize(("window", "index"), COMPOSED)
def test_composed(window: str, index: str) -> None:
    slot = expression(f"a[{index}]").slice
    new = composed(expression(window), slot, is_number)
    assert text_of(new) == COMPOSED[window, index]


@pytest.mark.parametrize("shape", [(2, 2), (3, 2, 2), (2, 2, 2, 2)])
@pytest.mark.parametrize(("window", "index"), COMPOSED)
def test_composed_is_the_same_part(window: str, index: str, shape: tuple[int, ...]) -> None:
    names = {"a": np.arange(float(np.prod(shape))).reshape(shape), **VALUES}

    def part(text: str) -> object:
        try:
            return eval(text, dict(names))
        except (IndexError, TypeError):
            return None

    wanted = part(f"{window}[{index}]")
    found = part(COMPOSED[window, index])
    if wanted is not None:
        np.testing.assert_array_equal(found, wanted)

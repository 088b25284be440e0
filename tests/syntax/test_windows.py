"""Windows: their root."""

from __future__ import annotations

import gast
import pytest

from autodiff.inspection.graph import root


def expression(text: str) -> gast.expr:
    return gast.parse(text, mode="eval").body


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

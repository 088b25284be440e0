"""Which names are read for more than their shape and type."""

from __future__ import annotations

import gast
import pytest

from autodiff.syntax.content import content_reads

READS = {
    "y = x": "x",
    "y = x + z": "x z",
    "y[0] = x": "x y",
    "y[0] += x": "x y",
    "y += x": "x y",
    "y.u = x": "x y",
    "y = x[i]": "i x",
    "y = x.shape": "",
    "y = x.shape[0]": "",
    "y = x.ndim + x.size": "",
    "y = x[1:].shape": "x",
    "y = f(x).shape": "f x",
    "y = x.T": "x",
    "y = x.sum()": "x",
    "y = len(x)": "",
    "y = len(x[1:])": "x",
    "y = np.zeros_like(x)": "np",
    "y = np.zeros_like(x + z)": "np x z",
    "y = zeros_like(x)": "",
    "y = np.full_like(x, z)": "np z",
    "y = np.full_like(x, x)": "np x",
    "y = np.empty_like(x, dtype=z.dtype)": "np",
    "y = np.shape(x)": "",
    "y = np.ndim(x)": "",
    "y = np.sum(x)": "np x",
    "y = zeros_like()": "zeros_like",
    "y = z.size": "",
    "y = lambda: x.shape": "x",
    "def g():\n    return len(x)": "len x",
    "if x.shape == z:\n    y = w": "w z",
    "for i in range(len(x)):\n    y = z": "range z",
    "pass": "",
}


@pytest.mark.parametrize(("text", "expected"), READS.items(), ids=READS)
def test_content_reads(text: str, expected: str) -> None:
    statements = gast.parse(text).body
    assert " ".join(sorted(content_reads(statements))) == expected
    assert " ".join(sorted(content_reads(statements[0]))) == expected


def test_several_statements() -> None:
    assert content_reads(gast.parse("y = x.shape\nz = x").body) == {"x"}
    assert content_reads([]) == set()

"""What memory an expression of adjoint code hands on."""

from __future__ import annotations

import gast
import pytest

from autodiff.reverse.passing import passed

PASSED = {
    "x": "x",
    "1.0": "",
    "x + y": "",
    "-x": "",
    "x[i]": "x",
    "x[1:].T": "x",
    "x if c else y": "x y",
    "f(x)": "x",
    "f(x, y)": "x",
    "np.asarray(x)": "np x",
    "x.reshape(-1)": "x",
    "x.reshape(n)[0]": "n x",
    "f(x + y)": "",
    "f()": "",
    "(x if c else y)[i]": "x y",
    "[x, y]": "",
}


@pytest.mark.parametrize(("text", "expected"), PASSED.items(), ids=PASSED)
def test_passed(text: str, expected: str) -> None:
    found = passed(gast.parse(text, mode="eval").body)
    assert " ".join(sorted(found)) == expected

"""What a call writes into an array: the array, the values, the index; or that it is not known."""

from __future__ import annotations

import gast
import numpy as np
import pytest

from autodiff.analysis.operation import Operation
from autodiff.analysis.writing import is_adding, output, written
from tests.analysis.given import expression, function, known
from tests.normalize.behaviour import text_of

WRITTEN = {
    "x.fill(t)": "x[...] = t",
    "x.fill(value=t)": "x[...] = t",
    "x[1:].fill(0.0)": "x[1:][...] = 0.0",
    "us.fill(t)": None,
    "x.fill()": None,
    "x.fill(t, s)": None,
    "x.fill(wrong=t)": None,
    "x.sort()": None,
    "x.sum()": None,
    "np.copyto(x, y)": "x[...] = y",
    "np.copyto(x, y, casting='no')": "x[...] = y",
    "np.copyto(x, y, where=mask)": None,
    "np.copyto(x, y, 'no', mask)": None,
    "np.copyto(us, y)": None,
    "np.sin(x, out=y)": "y[...] = np.sin(x)",
    "np.sin(x, out=(y,))": "y[...] = np.sin(x)",
    "np.sin(x, y)": "y[...] = np.sin(x)",
    "np.sin(x, None)": None,
    "np.sin(x)": None,
    "np.sin(x, out=None)": None,
    "np.sin(x, out=y, where=mask)": None,
    "np.sin(x, out=mystery)": None,
    "np.sin(x, out=y[1:])": None,
    "np.modf(x, out=(y, z))": None,
    "np.add(x, y, out=z)": "z[...] = np.add(x, y)",
    "np.add(x, y, z)": "z[...] = np.add(x, y)",
    "np.add(x, y, out=x)": "x[...] = np.add(x, y)",
    "np.add(x, y, dtype=float, out=z)": "z[...] = np.add(x, y, dtype=float)",
    "np.sum(a, 0, out=x)": "x[...] = np.sum(a, 0)",
    "np.sum(a, 0, None, x)": "x[...] = np.sum(a, 0, None)",
    "np.dot(a, x, y)": "y[...] = np.dot(a, x)",
    "np.dot(a, x, out=y)": "y[...] = np.dot(a, x)",
    "np.matmul(a, x, y)": "y[...] = np.matmul(a, x)",
    "np.clip(x, 0.0, 1.0, out=y)": "y[...] = np.clip(x, 0.0, 1.0)",
    "np.clip(x, 0.0, 1.0, y)": "y[...] = np.clip(x, 0.0, 1.0)",
    "x.sum(out=y)": "y[...] = x.sum()",
    "np.add(*pair, x)": None,
    "np.add.at(x, index, t)": None,
    "call(x, out=y)": None,
}


@pytest.mark.parametrize(("text", "expected"), WRITTEN.items(), ids=WRITTEN)
def test_written(text: str, expected: str | None) -> None:
    call = expression(text)
    before = gast.dump(call)
    found = written(call, known(function("pass")))
    assert gast.dump(call) == before
    if found is None:
        assert expected is None
    else:
        array, values, index = map(text_of, found)
        assert f"{array}[{index}] = {values}" == expected


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (Operation(np.sin, (expression("x"), expression("y"))), "y"),
        (Operation(np.sin, (expression("x"), expression("None"))), None),
        (Operation(np.sin, (expression("x"),)), None),
        (Operation(np.sin, (expression("x"),), (("out", expression("y")),)), "y"),
        (Operation(np.sin, (expression("x"),), (("out", expression("None")),)), None),
        (Operation(np.dot, tuple(map(expression, "xyz"))), "z"),
        (Operation(np.zeros_like, tuple(map(expression, "xyz"))), None),
        (Operation([], (expression("x"),)), None),
    ],
)
def test_output(call: Operation, expected: str | None) -> None:
    found = output(call)
    assert (found if found is None else text_of(found)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("np.add.at(x, index, t)", True),
        ("np.add.at(x[1:], index, t)", True),
        ("np.add.at(x, index)", False),
        ("np.subtract.at(x, index, t)", False),
        ("np.multiply.at(x, index, t)", False),
        ("np.add(x, index, t)", False),
        ("call(x, index, t)", False),
    ],
)
def test_is_adding(text: str, expected: bool) -> None:
    assert is_adding(expression(text), known(function("pass"))) == expected

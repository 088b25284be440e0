"""The axis of an array that has one may be found at run time."""

from typing import Any

import numpy as np
import pytest

from autodiff import grad
from autodiff.kinds.kind import UNKNOWN, Array, Scalar
from autodiff.kinds.size import Dim
from autodiff.primitives.axes_found import along_the_axis
from tests.core.differences import check

ROW = Array("float64", (Dim("n", 4),))
SOME, LAST = Scalar("int"), Scalar("int", None, -1)


def moved(x: Any, axis: int) -> Any:
    rows = np.moveaxis(x, axis, -1)
    n = np.shape(rows)[-1]
    return np.sum(rows[1:n] * rows[: n - 1])


@pytest.mark.parametrize("axis", [0, -1])
def test_a_moved_axis(axis: int, monkeypatch: pytest.MonkeyPatch) -> None:
    check(monkeypatch, moved, np.array([0.5, 0.7, 1.1, 1.3]), axis)


def test_an_axis_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ValueError, match="out of bounds"):
        grad(moved)(np.ones(4), 1)


def test_kinds() -> None:
    assert along_the_axis(np.moveaxis, (ROW, SOME, LAST), ()) == ROW
    assert along_the_axis(np.cumsum, (ROW,), (("axis", SOME),)) == ROW


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (np.tensordot, (ROW, Array("float64", (Dim("m", 4),)), SOME)),  # a product of 0 axes
        (np.take, (ROW, SOME)),  # the place may be any
        (np.expand_dims, (ROW, SOME)),  # in front or behind
        (np.moveaxis, (ROW, SOME, SOME)),  # two numbers
        (np.moveaxis, (ROW, Scalar("int", None, Dim("n", 4)), LAST)),  # the length is no axis
        (np.moveaxis, (Array("float64", (Dim("n", 4), Dim("n", 4))), SOME, LAST)),
    ],
)
def test_what_may_be_something_else(function: Any, arguments: Any) -> None:
    assert along_the_axis(function, arguments, ()) == UNKNOWN

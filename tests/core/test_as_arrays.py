"""Objects that say which array they are, and what NumPy does with them otherwise
(lower/expression/as_arrays.py).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.core.differences import refused_or_right
from tests.core.judge import judge

X = np.array([0.7, 1.3, 0.4, 1.1])


class Plain:
    def __init__(self, data: Any) -> None:
        self.data = data

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self.data * 2


class Answering(Plain):
    """NumPy calls these under names of their own: `np.amax`, `np.around`."""

    def max(self, axis: Any = None, out: Any = None, **more: Any) -> Any:
        return self.data[0] ** 2

    def round(self, decimals: int = 0, out: Any = None) -> Any:
        return self.data**3


class Wrapping(Plain):
    def __array_wrap__(self, array: Any, context: Any = None, scalar: bool = False) -> Any:
        return array * 3


def plain(x: Any) -> Any:
    return np.sum(np.sin(Plain(x))) + np.sum(Plain(x)) + np.vdot(Plain(x), x)


def greatest(x: Any) -> Any:
    return np.amax(Answering(x))


def rounded(x: Any) -> Any:
    return np.sum(np.around(Answering(x)))


def wrapped(x: Any) -> Any:
    return np.sum(np.sin(Wrapping(x)))


def test_an_object_is_the_array_that_it_says() -> None:
    assert judge(plain, [(X,)], ("x",)).what == "right"


@pytest.mark.parametrize("function", [greatest, rounded, wrapped])
def test_what_else_numpy_asks(function: Any) -> None:
    refused_or_right(function, X, match="is used as a number or an array")

"""Variables that hold nothing on some paths: handed on under other names, kept on the tape."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autodiff import grad
from tests.core.differences import check


def left_on_one_path_of_several(x: Any, at: int) -> Any:
    for k in range(2):
        if at == 1:
            return x * x
        if k:
            b = x * 3.0
    return b * x


def skipped_before(x: Any, at: int) -> Any:
    for k in range(3):
        if at == 2:
            if k == 0:
                continue
            if at:
                return x * k
        b = x * x
    return b


def handed_on(x: Any, at: int) -> Any:
    a = x + 0.5
    if at == 4:
        c = a * 0.5
        if at > 2:
            if at == 0:
                return c * a
            b = c - 0.3 * a
        else:
            c = b * a
    if at > 1:
        b = np.sin(b) * a
        a = x + x
    return a * a + (b if at > 3 else x)


def kept(x: Any, at: int) -> Any:
    total = x
    for k in range(4):
        if k == 1:
            s = total * x
        if k > at:
            total = total + np.sin(s) * s
            s = s * x
        elif k > 4:
            s = x
    return total


FUNCTIONS = [left_on_one_path_of_several, skipped_before, handed_on, kept]


@pytest.mark.parametrize("at", [-1, 0, 1, 2, 4])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_right_or_an_error(monkeypatch: pytest.MonkeyPatch, function: Any, at: int) -> None:
    try:
        function(0.7, at)
    except UnboundLocalError:
        with pytest.raises(UnboundLocalError):
            grad(function)(0.7, at)
        return
    check(monkeypatch, function, 0.7, at)


def test_numbers_of_which_some_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a cash flow earns, as `numpy_financial` finds it."""

    def rate(values: Any) -> Any:
        rows = np.atleast_2d(values)
        out = np.empty(len(rows))
        for i, row in enumerate(rows):
            if np.all(row > 0) or np.all(row < 0):
                out[i] = np.nan
                continue
            found = np.roots(row)
            real = np.real(found[np.isreal(found)]) - 1
            real = real[real >= -1]
            if len(real) == 0:
                out[i] = np.nan
            elif len(real) == 1:
                out[i] = real[0]
            else:
                out[i] = real[np.argmin(np.abs(real))]
        return out.item() if out.size == 1 else out

    x = np.array([-100.0, 39.0, 59.0, 55.0, 20.0])
    steps = 1e-5 * np.eye(5)
    slopes = [(rate(x + step) - rate(x - step)) / 2e-5 for step in steps]
    np.testing.assert_allclose(grad(rate)(x), slopes, rtol=1e-5)

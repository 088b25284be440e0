"""Lists and dicts that hold `None`, or a number or an array, found when it runs (`vague.py`); what
a function returns on some paths alone.
"""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import grad
from tests.core.differences import check

V = np.array([0.3, 0.7, 1.1])


def memo(x, n):
    found = [None] * (n + 1)
    found[0] = x[0]
    for k in range(1, n + 1):
        if found[k] is None:
            found[k] = found[k - 1] * x[1] + x[k % 3]
    return found[n]


def arrays(x, n):
    rows = [None, x[0]] * n
    kept = rows
    kept[0] = x[1]
    table = {}
    for k in range(n):
        table[k] = x * k if k % 2 else None
        rows.append(rows[0])
        rows[-1] = None
    s = 0.0
    for k in table:
        if table[k] is not None:
            table[k][0] = x[2]
            s = s + np.sum(table[k])
    for row in rows:
        if row is not None:
            s = s + row * row
    return s


def taken_out(x, n):
    queue, s = [None, x[0]], x[1]
    for k in range(n):
        queue.append(x[k % 3] if k % 2 else None)
        first = queue.pop(0)
        if first is not None:
            s = s * first + x[0]
    return s


def asked_twice(x, n):
    found, s = [None] * n, x[0]
    for k in range(n):
        if k % 2:
            found[k] = x * s
        if found[k] is not None:
            s = s + np.sum(found[k])
    return s


@pytest.mark.parametrize("function", [memo, arrays, taken_out, asked_twice])
@pytest.mark.parametrize("n", [1, 4])
def test_taken(monkeypatch: pytest.MonkeyPatch, function, n: int) -> None:
    check(monkeypatch, function, V, n)


def test_what_is_none_when_it_is_returned() -> None:
    def function(x):
        found = [None, None]
        if x > 0.0:
            found[1] = x * x
        return found[1]

    derivative = grad(function)
    assert derivative(1.5) == 3.0
    with pytest.raises(TypeError, match="None"):
        derivative(-1.5)


def filled(x, n):
    found = [None] * 3
    for k in range(3):
        found[k] = x[k] * x[0]
    return np.sum(np.array(found) ** n) + max(found) + sum(found)


def test_a_list_that_is_filled_and_given_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    check(monkeypatch, filled, V, 2)

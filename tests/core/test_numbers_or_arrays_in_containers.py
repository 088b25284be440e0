"""Lists and dicts of what is a number or an array, which is found when it runs (`lists.settled`).

Their adjoints are in the places of the shadow, as those of numbers: an array there is the adjoint
of somebody else, too, so nothing is added to it in place.
"""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import grad
from autodiff.derivative import Derivative
from tests.core.differences import check, refused_or_right

V = np.array([0.3, 0.7, 1.1])


def changed(p, x, k):
    return p * x if k % 2 else p * 0.9


def added_up(x, n):
    p, ys = 1.0, []
    for k in range(n):
        p = changed(p, x, k)
        ys.append(p * x)
    return np.sum(sum(ys) * ys[-1])


def put_and_taken(x, n):
    p, ys = 1.0, [1.0]
    for k in range(n):
        p = changed(p, x, k)
        ys.append(p + ys[-1])
        ys[0] = ys[0] * ys[-1] * 0.3
        ys.insert(0, p)
    a = ys.pop()
    b = ys.pop(0)
    c = a + b
    return np.sum(c * a * ys[0] * ys[-1])


def under_keys(x, n):
    p, table = 1.0, {}
    for k in range(n):
        p = changed(p, x, k)
        table[k % 3] = p + table.get(k % 2, 0.0)
    return sum(np.sum(table[k] * p) for k in table)


def of_real_and_complex_arrays(x, n):
    parts = [x]
    for _ in range(n):
        parts.append(1j * parts[-1])
    return sum(np.sum(np.real(part**3)) for part in parts)


@pytest.mark.parametrize(
    "function", [added_up, put_and_taken, under_keys, of_real_and_complex_arrays]
)
@pytest.mark.parametrize("n", [1, 4])
def test_taken(monkeypatch: pytest.MonkeyPatch, function, n: int) -> None:
    check(monkeypatch, function, V, n)


@pytest.mark.parametrize("n", [1, 4])
def test_adjoints_of_adjoints_that_are_numbers(n: int) -> None:
    """A zero in the shadow is a number, also where an array is: it was repeated, so its adjoint is
    summed.
    """
    gradient = grad(put_and_taken, "x")
    steps = np.eye(3) * 1e-6
    hessian = [(gradient(V + step, n) - gradient(V - step, n)) / 2e-6 for step in steps]
    _, pullback = Derivative(gradient, "vjp", ("x",))(V, n)
    np.testing.assert_allclose(pullback(V)[0], V @ hessian, rtol=1e-6)


def held_while_it_is_updated(x, n):
    p, ys = 1.0, []
    for k in range(n):
        p = changed(p, x, k)
        ys.append(p)
        p += x[0]
    return sum(np.sum(y * y) for y in ys)


def changed_behind(x, n):
    y, p, ys = x * 1.0, 1.0, []
    for k in range(n):
        p = y if k % 2 else p * 2.0
        ys.append(p)
        y[0] = y[1] * 3.0
    return sum(np.sum(v * v) for v in ys)


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize(
    ("function", "why"),
    [
        (held_while_it_is_updated, "is changed in place here is not known"),
        (changed_behind, "memory that changes and may be a number"),
    ],
)
def test_what_others_hold_and_is_changed_is_refused(function, why: str) -> None:
    refused_or_right(function, V, 4, match=why)

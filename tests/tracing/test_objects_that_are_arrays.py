"""Objects of classes derived from `np.ndarray`: the array that they are, and attributes of their
own; what NumPy makes of them is of their class, or an array, or a number. Their runs are followed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autodiff import AutodiffError, grad, jacobian, jvp, value_and_grad
from tests.core.differences import check, differences


class Quaternion(np.ndarray):
    A: Any
    order: Any

    def __new__(cls, q: Any, versor: bool = True) -> Any:
        q = np.array(q, dtype=float)
        if versor:
            q /= np.linalg.norm(q)
        made = super().__new__(cls, q.shape, float, q)
        made.A, made.order = q, "H"
        return made

    def __array_finalize__(self, parent: Any) -> None:
        if parent is not None:
            self.A = getattr(parent, "A", np.array([1.0, 0.0, 0.0, 0.0]))
            self.order = getattr(parent, "order", "S")

    @property
    def w(self) -> Any:
        return self.A[0] if self.order == "H" else self.A[3]

    @property
    def conjugated(self) -> Any:
        return self * np.array([1.0, -1.0, -1.0, -1.0])

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Quaternion):
            return Quaternion([self.w * other.w - self[1] * other[1], *(self.A[1:] + other.A[1:])])
        return Quaternion(self.A * other, versor=False)

    def to_array(self) -> Any:
        return self.view(np.ndarray)


class Rows(np.ndarray):
    def __new__(cls, a: Any) -> Any:
        a = np.array(a, dtype=float)
        return super().__new__(cls, a.shape, float, a)

    def total(self) -> Any:
        return np.sin(self).view(np.ndarray).sum()


def made(x: Any) -> Any:
    return Quaternion([1.0, x, 0.3, -0.2])


def attributes(x: Any) -> Any:
    q = made(x)
    return q.w + q[1] + q[-2] ** 2 + q.shape[0] * x + len(q.order)


def operators(x: Any) -> Any:
    q = made(x)
    r = (q * made(x * x) + 2.0 * q) / np.linalg.norm(q)
    return r.w + r[1] + (-q)[2] + np.sum(np.array(r)) + (np.float64(x) * q)[3]


def taken_apart(x: Any) -> Any:
    a, b, c, d = made(x)
    return a * b + c * d + float(made(x).to_array()[1]) + sum([*made(x)])


def one_memory(x: Any) -> Any:
    q = made(x)
    q[1] = x * x
    q.to_array()[2] = x**3
    part = q[1:]
    part[2] = 5.0 * x
    q.A[0] *= 2.0
    return q.A[1] * q.w + q[1] * q[2] * q[3] + part.w + part[1]


def in_place(x: Any) -> Any:
    q = made(x)
    same, part = q, q[:]
    q *= 1.0  # the class has `__mul__`, and no `__imul__`: the array is changed
    same /= 2.0
    part -= x * 0.1
    return q[1] + q.w + same[2]


def by_path(x: Any) -> Any:
    q = made(x) if x > 0.5 else Quaternion([x, 1.0, x, 2.0])
    if x > 1.0:
        q[1] = x * x
    else:
        q = q.conjugated
    return q[1] + q.w


def in_a_loop(x: Any) -> Any:
    q, n = made(x), 0
    while n < 3:
        q = q.conjugated + q[0] * 0.1
        n += 1
    for k in range(4):
        n += q[k] * k
    return q.w + q[3] + n


def methods_of_arrays(x: Any) -> Any:
    q = made(x)
    p = np.sin(q)
    q.fill(2.0 * x)
    q.sort()
    return q.w + p.to_array()[1] + np.asarray(p)[2]


CASES = [attributes, operators, taken_apart, one_memory, in_place, by_path, in_a_loop]
CASES += [methods_of_arrays]


@pytest.mark.parametrize("x", [0.4, 0.7, 1.3])
@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_objects_that_are_arrays(monkeypatch: Any, function: Any, x: float) -> None:
    check(monkeypatch, function, x)
    value, slope = jvp(function, (x,), (1.0,))
    np.testing.assert_allclose(value, function(x))
    np.testing.assert_allclose(slope, differences(function, (x,)), rtol=2e-5, atol=2e-5)


def rows(x: Any) -> Any:
    a = Rows(np.stack([x, x**2], axis=1))
    return a.total() + np.sum(a[:, 1].view(np.ndarray))


def test_several_axes(monkeypatch: Any) -> None:
    check(monkeypatch, rows, np.array([0.3, 0.5, 0.9]))


def in_another_order(x: Any) -> Any:
    return Rows(np.stack([x, x**2], axis=1).T).total()


def test_a_buffer_in_another_order() -> None:
    x = np.array([0.3, 0.5, 0.9])
    expected = differences(in_another_order, (x,))
    np.testing.assert_allclose(grad(in_another_order)(x), expected, rtol=1e-6)


def of_another_shape(x: Any) -> Any:
    q = made(x)
    q.shape = (2, 2)
    return q.ndim * x


def compared(x: Any) -> Any:
    return x if (made(x) > 0.5).any() else 2.0 * x


def as_truth(x: Any) -> Any:
    return x if made(x)[:1] else 2.0 * x


def summed(x: Any) -> Any:
    return np.sum(made(x))


def held(x: Any) -> Any:
    own = [made(x)]
    for k in range(int(3.0 * x)):
        own.append(Quaternion([x, 1.0, k, 2.0]))
    return own[-1].w


def its_attributes(x: Any) -> Any:
    return len(vars(made(x))) * x


@pytest.mark.parametrize(
    "function", [of_another_shape, compared, as_truth, summed, held, its_attributes]
)
def test_right_or_refused(function: Any) -> None:
    try:
        found = grad(function)(0.7)
    except AutodiffError:
        return
    np.testing.assert_allclose(found, differences(function, (0.7,)), rtol=1e-6)


def test_what_gives_one() -> None:
    expected = (np.asarray(made(0.7 + 1e-6)) - np.asarray(made(0.7 - 1e-6))) / 2e-6
    np.testing.assert_allclose(jacobian(made)(0.7), expected, rtol=1e-6)
    np.testing.assert_allclose(jvp(made, (0.7,), (1.0,))[1], expected, rtol=1e-6)
    (value, aux), slope = value_and_grad(lambda x: (x * 2.0, made(x)), has_aux=True)(0.7)
    assert (value, slope) == (1.4, 2.0)
    np.testing.assert_array_equal(np.asarray(aux), np.asarray(made(0.7)))

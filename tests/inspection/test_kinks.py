"""What is within a tolerance of switching is listed, with its line; what is smooth is not."""

import math

import numpy as np
import pytest

from autodiff import (
    AutodiffError,
    elementwise_grad,
    grad,
    hessian,
    jacobian,
    jvp,
    report_kinks,
    value_and_grad,
)


def mixed(x, y):
    a = np.abs(x)
    b = np.clip(x, -1.0, 2.0)
    c = np.where(x > y, x * x, 0.0)
    s = np.sort(x)
    if x[0] > 3.0:
        a = a * 2
    t = float(x[1])
    k = max(t, 2.0, 1.0)
    e = math.floor(t * 3)
    q = x**2 + np.sin(x) / (1 + x * x)
    m = np.max(x) + np.median(x) + np.linalg.norm(x) + np.argmax(x)
    return np.sum(a * b) + np.sum(c) + s @ np.arange(4.0) + k + e + np.sum(q) + m


FAR = np.array([0.5, 0.3, 1.5, 0.7])


def listed(call, tolerance=1e-6):
    with report_kinks(tolerance) as kinks:
        call()
    return {(kink.operation, kink.line - mixed.__code__.co_firstlineno) for kink in kinks}


def test_nothing_is_listed_far_from_all_of_them():
    for derivative in (grad(mixed), value_and_grad(mixed), jacobian(mixed), hessian(mixed)):
        assert listed(lambda: derivative(FAR, 1.0)) == set()


def test_each_kink_and_jump_with_its_line():
    at = np.array([1e-9, 2.0, 3.0, 3.0 + 1e-8])
    found = listed(lambda: grad(mixed)(at, 1.0))
    assert found == {
        ("absolute", 1), ("clip", 2), ("sort", 4), ("gt", 8), ("floor", 9),
        ("max", 11), ("median", 11), ("argmax", 11),
    }  # fmt: skip
    assert listed(lambda: jvp(mixed, (at, 1.0), (np.ones(4), 0.0))) == found
    at = np.array([3.0 + 1e-7, 0.4, 1.0, -1.0 + 1e-7])
    found = listed(lambda: grad(mixed)(at, 1.0 - 1e-8))
    assert found == {("clip", 2), ("gt", 3), ("gt", 5)}
    assert listed(lambda: grad(mixed)(at, 1.0 - 1e-8), 1e-12) == set()


def test_a_kink_says_what_it_was_given_and_how_often():
    def steps(x):
        total = 0.0
        for k in range(4):
            total = total + abs(x - 1.0) * k
        return total

    with report_kinks() as kinks:
        assert grad(steps)(1.0 + 1e-9) == 6.0
    (kink,) = kinks
    assert kink.operation == "abs"
    assert kink.values == pytest.approx((1e-9,), rel=1e-6)
    assert kink.count == 4
    assert kink.text == "total = total + abs(x - 1.0) * k"
    assert f":{kink.line}: total" in str(kink)
    assert str(kink).endswith("4 times]")


@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e8])
def test_kinks_of_any_steepness(scale):
    cut = elementwise_grad(lambda x: np.maximum(x, 2.0) * scale)
    assert listed(lambda: cut(np.array([1.0, 2.0 - 1e-7, 3.0])))
    assert not listed(lambda: cut(np.array([1.0, 2.0 - 1e-4, 3.0])))


SMOOTH = [
    lambda x: x**2, lambda x: x**3, np.cos, np.exp, np.tanh, np.cosh, np.log1p, np.sinc,
    lambda x: np.cumsum(x) * x[::-1], lambda x: np.outer(x, x) @ x, np.arctan,
    lambda x: np.linalg.solve(np.outer(x, x) + np.eye(len(x)), x), lambda x: x / (1 + x * x),
]  # fmt: skip


@pytest.mark.parametrize("f", SMOOTH)
@pytest.mark.parametrize("tolerance", [1e-9, 1e-6, 1e-3])
def test_what_is_smooth_is_not_listed(f, tolerance):
    """Also where its slope is zero."""
    for x in (np.zeros(3), np.array([0.0, 1.0, 2.0]), np.array([-0.5, 1e-7, 30.0])):
        assert not listed(lambda: grad(lambda x: np.sum(f(x)))(x), tolerance)


def test_what_cannot_be_followed_is_refused():
    def hidden(x):
        return np.frombuffer(memoryview(x * 2.0), dtype=np.int64).size * x[0]

    with pytest.raises(AutodiffError, match="kinks of"), report_kinks():
        grad(hidden)(FAR)


def test_derivatives_outside_of_the_block_are_not_looked_at():
    with report_kinks() as kinks:
        pass
    grad(lambda x: abs(x))(1e-9)
    assert kinks == []

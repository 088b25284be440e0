"""Derivatives of derivatives, in any order."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from autodiff import (
    AutodiffError,
    UnsupportedSyntaxError,
    grad,
    hessian,
    hvp,
    jacfwd,
    jacobian,
    jvp,
    value_and_grad,
)
from tests.core.differences import refused_or_right

X = np.array([0.5, -0.3, 1.2, 0.7])
V = np.array([0.2, 1.0, -0.4, 0.6])


def rosen(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


def recurrent(x):
    h = x
    for t in range(4):
        h = np.tanh(0.5 * h + np.sin(h) * t)
    return np.sum(h**2)


def in_place(x):
    u = x.copy()
    for t in range(4):
        u[1:-1] += 0.1 * (u[2:] ** 2 - 2 * u[1:-1] * u[:-2])
    return np.sum(u**3)


def branches(x):
    s, i = 0.0, 0
    while s < 6:
        if x[i % 4] > 0:
            s = s + x[i % 4] ** 2 * math.sin(s) + 1
        else:
            s = s - x[i % 4] * s + 1
        i += 1
    return s


def with_lists(x):
    ys = []
    for k in range(len(x)):
        ys.append(x[k] ** 2 * k)
    total = 1.0
    for y in ys:
        total = total * (y + x[0])
    return total


def linear_algebra(x):
    a = np.outer(x, x) + np.diag(np.exp(x))
    return np.linalg.slogdet(a)[1] + np.sum(np.linalg.solve(a, x) ** 2) + np.max(a)


FUNCTIONS = [rosen, recurrent, in_place, branches, with_lists, linear_algebra]


def difference(function, h=1e-6):
    return (function(h) - function(-h)) / (2 * h)


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_hessian(f):
    found = hessian(f)(X)
    assert_allclose(found, found.T, rtol=1e-12, atol=1e-12)
    slopes = [difference(lambda h, e=e: grad(f)(X + h * e)) for e in np.eye(4)]
    assert_allclose(found, slopes, rtol=1e-6, atol=1e-7)
    assert_allclose(hvp(f)(X, V), found @ V, rtol=1e-12, atol=1e-12)


def test_rosenbrock_like_scipy():
    optimize = pytest.importorskip("scipy.optimize")
    assert_allclose(hessian(rosen)(X), optimize.rosen_hess(X), rtol=1e-12)
    assert_allclose(hvp(rosen)(X, V), optimize.rosen_hess_prod(X, V), rtol=1e-12)


@pytest.mark.parametrize("f", [rosen, with_lists], ids=lambda f: f.__name__)
def test_every_order_of_modes_gives_the_same(f):
    wanted = hessian(f)(X)
    assert_allclose(jacobian(grad(f))(X), wanted, rtol=1e-10, atol=1e-10)
    assert_allclose(jacfwd(grad(f))(X), wanted, rtol=1e-10)

    def slope(x):
        return jvp(f, (x,), (V,))[1]

    assert_allclose(difference(lambda h: slope(X + h * X)), wanted @ V @ X, rtol=1e-7)


def test_numbers_to_the_third_order():
    def f(x):
        return math.sin(x) * x**2

    x = 0.3
    first = 2 * x * math.sin(x) + x**2 * math.cos(x)
    second = 2 * math.sin(x) + 4 * x * math.cos(x) - x**2 * math.sin(x)
    third = 6 * math.cos(x) - 6 * x * math.sin(x) - x**2 * math.cos(x)
    assert_allclose(grad(f)(x), first)
    assert_allclose(grad(grad(f))(x), second)
    assert_allclose(grad(grad(grad(f)))(x), third)
    assert_allclose(hvp(f)(x, 1.0), second)
    assert_allclose(hvp(grad(f))(x, 1.0), third)
    assert_allclose(hessian(grad(f))(x), third)


def test_several_arguments():
    def f(a, x):
        return a**2 * np.sum(x**3)

    a, x = 2.0, np.array([1.0, 3.0])
    (aa, ax), (xa, xx) = hessian(f, (0, 1))(a, x)
    assert_allclose(aa, 2 * 28.0)
    assert_allclose(ax, 6 * a * x**2)
    assert_allclose(xa, 6 * a * x**2)
    assert_allclose(xx, np.diag(6 * a**2 * x))
    first, second = hvp(f, (0, 1))(a, x, (1.0, np.zeros(2)))
    assert_allclose(first, aa)
    assert_allclose(second, xa)
    assert_allclose(hessian(f, "x")(a, x), xx)


def test_methods():
    class Model:
        def __init__(self, w):
            self.w = w

        @grad
        def slope(self, x):
            return self.w * x**3

    model = Model(2.0)
    assert grad(model.slope)(3.0) == 36.0


def test_a_changed_global_is_seen():
    def f(x):
        return x**2 * FACTOR[0]

    second = grad(grad(f))
    assert second(3.0) == 2.0
    FACTOR[0] = 5.0
    assert second(3.0) == 10.0
    FACTOR[0] = 1.0


FACTOR = [1.0]
SLOPE = grad(lambda x: 2.0 * x**2)


class Spring:
    def __init__(self, stiffness):
        self.stiffness = stiffness

    def energy(self, x):
        return self.stiffness * x**2


STIFF = grad(Spring(3.0).energy)


def FORCE(x):  # noqa: N802
    return STIFF(x) * x


def test_derivatives_are_called_inside():
    assert grad(lambda x: SLOPE(x) * 2.0)(1.0) == 8.0
    assert grad(lambda x: x * SLOPE(3.0))(1.0) == 12.0
    assert grad(lambda x: grad(SLOPE)(x) * x)(1.0) == 4.0
    assert grad(lambda x: SLOPE(x=x) * 2.0)(1.0) == 8.0
    assert grad(FORCE)(1.0) == 12.0


def test_value_and_grad_inside():
    pair = jacfwd(value_and_grad(rosen))(X)
    assert_allclose(pair[0], grad(rosen)(X))
    assert_allclose(pair[1], hessian(rosen)(X))


def free(x, *, k):
    return k * x**2


FREE = grad(free)


def test_refused():
    refused_or_right(lambda x: FREE(x, k=2.0) * 2.0, 1.0, match="called with keywords alone")
    with pytest.raises(UnsupportedSyntaxError, match="with options"):
        grad(lambda x: jvp(rosen, (x,), (x,), shifts=False)[1])(X)
    with pytest.raises(AutodiffError):
        hvp(rosen)(X, np.ones(3))
    with pytest.raises(AutodiffError):
        hessian(lambda x: x * 2.0)(X)


def test_recursion():

    def power(x, n):
        return 1.0 if n == 0 else x * power(x, n - 1)

    product = hvp(power)
    assert product(2.0, 3, 1.0) == product(2.0, 3, 1.0) == 12.0
    assert product(2.0, 4, 0.5) == 24.0
    assert grad(grad(power))(2.0, 3) == 12.0
    assert grad(grad(grad(power)))(2.0, 4) == 48.0
    assert hessian(power)(2.0, 4) == 48.0

"""Calls in forms that users write and that gave wrong numbers, or errors, once: real points.

NumPy and SciPy warn about some of them: of vectors with two components, of counts with fractions.
"""

import numpy as np
import pytest
from numpy.polynomial import Polynomial
from scipy import linalg, special
from scipy.interpolate import CubicSpline, interp1d, make_interp_spline
from scipy.spatial import distance

from autodiff import check_grads, grad, jvp
from tests.installed import works

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::RuntimeWarning")

RNG = np.random.default_rng(5)
PLANE, OTHER = RNG.uniform(0.5, 1.5, (2, 2, 2))
PLANES = RNG.uniform(0.5, 1.5, (3, 2))
M = RNG.uniform(0.5, 1.5, (2, 3))
STACK = RNG.uniform(-1, 1, (2, 3, 3))
UNIT = RNG.uniform(0.2, 0.8, 4)
NUMBER = np.array(0.7)
EACH = np.arange(1.0, 5.0)

INSIDE = np.array([1.2, 2.5, 3.9])


def spline_of_both(x):
    s = CubicSpline(EACH, x**2)
    total = 0.0
    for k in range(3):
        total += s(1.0 + x[k]) * s(2.0 + x[k] ** 2)
    return total


CUBE = lambda x: Polynomial([0.0, 0.0, 0.0, 1.0]).deriv()(x)  # noqa: E731
CASES = {
    "nbdtr, fractions": (UNIT, lambda x: np.sum(special.nbdtr(1.5, 2.7, x) * EACH)),
    "nbdtrc, fractions": (UNIT, lambda x: np.sum(special.nbdtrc(1.5, 2.7, x) * EACH)),
    "nbdtri, fractions": (UNIT, lambda x: np.sum(special.nbdtri(1.5, 2.7, x) * EACH)),
    "bdtr, fractions": (UNIT, lambda x: np.sum(special.bdtr(1.5, 4.7, x) * EACH)),
    "bdtrc, fractions": (UNIT, lambda x: np.sum(special.bdtrc(1.5, 4.7, x) * EACH)),
    "bdtri, fractions": (UNIT, lambda x: np.sum(special.bdtri(1.5, 4.7, x) * EACH)),
    "pdtri, fractions": (UNIT, lambda x: np.sum(special.pdtri(1.5, x) * EACH)),
    "item, by a tuple": (M, lambda x: x.item((1, 2)) * x.item(0, 1) ** 2 * x.item(3)),
    "product over no axis": (M, lambda x: np.sum(np.prod(x**2, axis=()) * EACH[:3])),
    "sum of a number": (NUMBER, lambda x: np.sum(x**2, axis=0) + np.sum(x, -1)),
    "largest of a number": (NUMBER, lambda x: np.max(x**2, axis=0) * np.min(x, axis=-1)),
    "product of a number": (NUMBER, lambda x: np.prod(x**2, axis=0) + np.nanprod(x, axis=-1)),
    "running sum of a number": (NUMBER, lambda x: np.sum(np.cumsum(x**2, axis=0) * x)),
    "deviation of a number": (NUMBER, lambda x: np.nanstd(x, axis=0) + np.ptp(x, axis=0) + x**2),
    "folds of a number": (
        NUMBER,
        lambda x: (
            np.logaddexp.reduce(x) * np.multiply.reduce(x, -1) * np.subtract.reduce(x, 0)
            + np.hypot.reduce(x) * np.maximum.reduce(x, -1) * np.divide.reduce(x)
        ),
    ),
    "folds over None": (
        UNIT,
        lambda x: np.subtract.reduce(x**2, None) + np.divide.reduce(x**2, axis=None),
    ),
    "lists with numbers as arrays": (
        NUMBER,
        lambda x: np.linalg.det([[x, 1], [2, x]]) + np.linalg.norm([x, 1.0]),
    ),
    "a cubic spline, its values": (UNIT, lambda x: np.sum(CubicSpline(EACH, x**2)(INSIDE) ** 2)),
    "a cubic spline, all": (UNIT, spline_of_both),
    "a natural spline of a function": (
        UNIT,
        lambda x: CubicSpline(EACH, x**2, bc_type="natural")(2.3, 1) * x[0],
    ),
    "lines": (UNIT, lambda x: np.sum(interp1d(EACH, x**2)(INSIDE) ** 2) + x[1]),
    "a spline fitted": (UNIT, lambda x: np.sum(make_interp_spline(EACH, x**2, k=2)(INSIDE) ** 3)),
    "poly1d": (UNIT, lambda x: np.poly1d(x**2)(0.7) * np.sum(np.poly1d([1.0, 2.0, 3.0])(x))),
    "Polynomial": (UNIT, lambda x: np.sum(np.polynomial.Polynomial(x**2)(x))),
    "Polynomial, its derivative": (UNIT, lambda x: Polynomial(x**2).deriv()(0.7) + CUBE(x[0])),
    "Polynomial, its integral": (UNIT, lambda x: Polynomial(x).integ()(x[0])),
    "Polynomial, sums": (UNIT, lambda x: (2.0 * Polynomial(x) - 1.0 - Polynomial(x) ** 2)(0.3)),
    "Polynomial, beside coefficients": (
        UNIT,
        lambda x: (Polynomial(x) + [1.0, 2.0] - [3.0])(x[0]) * (Polynomial(x) * [0.0, 1.0])(0.3),
    ),
    "Polynomial, of whole numbers": (UNIT, lambda x: Polynomial([1, 2, 3]).deriv(2)(3) * x[0]),
    "Polynomial, derived to nothing": (
        UNIT,
        lambda x: (Polynomial(x).deriv(len(x)) + 1.0)(x[0]) * x[0] + Polynomial(x).deriv(9)(x[1]),
    ),
    "Polynomial, a float as power": (UNIT, lambda x: (Polynomial(x) ** 2.0)(0.3)),
}
if works(lambda: np.average(STACK[:, :1], axis=(0, 2), weights=M)):  # since NumPy 2
    CASES["weights over axes among others of length 1"] = (
        M,
        lambda x: np.sum(np.average(STACK[:, :1] ** 2, axis=(0, 2), weights=x) ** 2),
    )
if works(lambda: np.cross(PLANE, OTHER)):  # to NumPy 2.4
    CASES |= {
        "cross, in the plane": (PLANE, lambda x: np.sum(np.cross(x, OTHER) * EACH[:2])),
        "cross, in the plane, the second": (
            PLANE,
            lambda x: np.sum(np.cross(OTHER, x) * EACH[:2]),
        ),
        "cross, both": (PLANES, lambda x: np.sum(np.cross(x, x[::-1] ** 2) * EACH[:3])),
        "cross, by columns": (PLANES.T, lambda x: np.sum(np.cross(x, PLANES, 0, 1) * EACH[:3])),
        "cross, one of them": (PLANES[0], lambda x: np.sum(np.cross(PLANES, x) * EACH[:3])),
    }
if works(lambda: linalg.qr(STACK[:1], mode="r")):  # since SciPy 1.16
    CASES["the first r of a stack"] = (STACK, lambda x: np.sum(linalg.qr(x, mode="r")[0] ** 3))
if works(lambda: linalg.qr(STACK[:1], mode="r") ** 3):  # to SciPy 1.17
    CASES["all r of a stack"] = (STACK, lambda x: np.sum(linalg.qr(x, mode="r") ** 3))


@pytest.mark.parametrize("name", CASES)
def test_both_modes_agree_with_differences(name):
    x, f = CASES[name]
    expected = np.empty(x.shape)
    for place in np.ndindex(x.shape):
        step = np.zeros(x.shape)
        step[place] = 1e-6
        expected[place] = (f(x + step) - f(x - step)) / 2e-6
    found = grad(f)(x)
    assert type(found) is type(x) and found.dtype == x.dtype and found.shape == x.shape
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)
    v = RNG.uniform(-1, 1, x.shape)
    tangent = jvp(f, (x,), (v,))[1]
    np.testing.assert_allclose(tangent, np.sum(expected * v), rtol=1e-6, atol=1e-7)


def test_what_differs_nothing_has_an_empty_gradient():
    def f(x):
        return np.sum(np.diff(x**2))

    for shape in ((0,), (1,), (4,)):
        assert grad(f)(np.ones(shape)).shape == shape


POLYNOMIAL = np.poly1d([1.0, 2.0, 3.0])


def evaluated(x):
    return np.sum(np.polyval(np.poly1d([1.0, -2.0, 3.0]), x) ** 2)


def evaluated_outside(x):
    return np.sum(np.polyval(POLYNOMIAL, x) ** 2)


def evaluated_twice(c):
    p = np.poly1d(c)
    return np.sum(p(c) ** 2) + np.sum(np.polyval(p, c))


def uneven(x):
    each = np.gradient(x, [0.0, 1.0], [0.0, 1.0, 2.2], edge_order=1)
    return np.sum(each[1] ** 2)


def uneven_to_second_order(x):
    points = [0.0, 1.0, 2.2]
    return np.sum(np.gradient(x, points, [0.0, 1.0, 2.5], edge_order=2)[1] ** 3)


def counted(w):
    counts = np.histogram2d(EACH, EACH**2, bins=[3, 2], weights=w, density=True)[0]
    return np.sum(counts**2)


@pytest.mark.parametrize(
    ("f", "x"),
    [
        *((evaluated, UNIT), (evaluated_outside, UNIT), (evaluated_twice, UNIT)),
        *((uneven, M), (counted, UNIT)),
        (uneven_to_second_order, STACK[0]),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_second_derivatives(f, x):
    check_grads(f, x)
    check_grads(f, x, order=2)


def test_polynomials_as_arguments():
    def f(p, x):
        return np.sum(np.polyval(p, x) ** 2)

    expected = np.polyval(2 * POLYNOMIAL * POLYNOMIAL.deriv(), UNIT)
    np.testing.assert_allclose(grad(f, wrt="x")(POLYNOMIAL, UNIT), expected)


@pytest.mark.parametrize(
    ("f", "words"),
    [
        (lambda x: (Polynomial(x) ** -1)(0.3), "Power must be a non-negative integer"),
        (lambda x: (Polynomial(x) ** 2.5)(0.3), "Power must be a non-negative integer"),
        (lambda x: np.sum(Polynomial(np.outer(x, x))(0.3)), "Coefficient array is not 1-d"),
    ],
    ids=("negative power", "power between", "coefficients of two axes"),
)
def test_what_no_polynomial_can_be_raises_as_numpy_does(f, words):
    for own in (f, grad(f), lambda x: jvp(f, (x,), (x,))):
        with pytest.raises(ValueError, match=words):
            own(UNIT)


def test_largest_differences_in_single_precision():
    """SciPy's own distances are of double precision, and equal no difference of single ones."""

    def f(a):
        return np.sum(distance.cdist(a, a[::-1] * 0.5, "chebyshev"))

    a = RNG.uniform(-1, 1, (3, 4))
    found = grad(f)(a.astype(np.float32))
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, grad(f)(a), atol=1e-5)

"""Objects of a library: called by a rule for their class, looked at, or made and only called."""

import collections
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("scipy.interpolate")

from scipy.interpolate import (
    CubicSpline,
    KroghInterpolator,
    PchipInterpolator,
    interp1d,
    make_interp_spline,
    splev,
)

from autodiff import check_grads, grad, jvp
from autodiff.errors import AutodiffError, MissingRuleError, UnsupportedSyntaxError

POINTS = np.arange(1.0, 6.0)
VALUES = np.sin(POINTS)
SPLINE = CubicSpline(POINTS, VALUES)
CURVE = CubicSpline(POINTS, np.stack([VALUES, VALUES**2], axis=1))
LINE = interp1d(POINTS, VALUES)
FITTED = make_interp_spline(POINTS, VALUES)
POLYNOMIAL = np.poly1d([1.0, 2.0, 3.0])
HELD = SimpleNamespace(table=SPLINE)
X = np.array([1.3, 2.2, 3.7])
Y = np.array([0.3, 0.5, -0.2, 0.7, 0.4])


def in_a_loop(x, table):
    total = 0.0
    for k in range(len(x)):
        total += table(x[k]) ** 2
    return total


def of_a_list(x, tables):
    total = 0.0
    for table in tables:
        total += np.sum(table(x) ** 2)
    return total


@pytest.mark.parametrize(
    "table",
    [
        *(SPLINE, LINE, FITTED),
        *(KroghInterpolator(POINTS, VALUES), PchipInterpolator(POINTS, VALUES)),
    ],
)
def test_interpolants_as_arguments(table):
    def f(x, table):
        return np.sum(table(x) ** 2)

    expected = grad(lambda x: np.sum(table(x) ** 2))(X)
    step = 1e-6
    near = (table(X + step) ** 2 - table(X - step) ** 2) / (2 * step)
    np.testing.assert_allclose(expected, near, rtol=1e-6)
    np.testing.assert_allclose(grad(f)(X, table), expected)
    np.testing.assert_allclose(grad(in_a_loop)(X, table), expected)
    np.testing.assert_allclose(jvp(lambda x: f(x, table), (X,), (X,))[1], expected @ X)
    np.testing.assert_allclose(grad(of_a_list)(X, [table, SPLINE]), expected + grad(f)(X, SPLINE))


def of_several_values(x):
    return np.sum(CURVE(x) ** 2 * np.array([1.0, 2.0]))


def held(x):
    return np.sum(HELD.table(x) ** 2)


def one_of_two(x):
    table = SPLINE if x[0] > 0 else LINE
    return np.sum(table(x) ** 2)


def looked_at(x):
    return np.sum(np.polyval(POLYNOMIAL, x) ** 2) + np.sum(splev(x, FITTED) ** 2)


@pytest.mark.parametrize("f", [of_several_values, held, one_of_two, looked_at])
def test_objects_of_outside(f):
    check_grads(f, X)


def test_what_a_spline_holds_is_read_at_each_call():
    def f(x, table):
        return np.sum(table(x) ** 2)

    table = CubicSpline(POINTS, VALUES)
    first = grad(f)(X, table)
    table.c[...] *= 2
    np.testing.assert_allclose(grad(f)(X, table), 4 * first)


def test_an_object_that_changes_is_refused():
    own = CubicSpline(POINTS, VALUES)

    def f(x):
        y = own(x)
        own.c[0, 0] = 1.0
        return np.sum(y**2)

    with pytest.raises(UnsupportedSyntaxError, match="may change"):
        grad(f)(X)


class Doubled(interp1d):
    def _evaluate(self, x):
        return 2.0 * super()._evaluate(x)


def test_classes_of_the_user_are_not_taken_for_those_of_the_library():
    table = Doubled(POINTS, VALUES)
    with pytest.raises(MissingRuleError, match="no derivative rule for table"):
        grad(lambda x: np.sum(table(x)))(X)


def test_there_is_no_derivative_in_the_object():
    def f(x, table):
        return np.sum(table(x) ** 2)

    with pytest.raises(AutodiffError, match="no derivative in its argument `self`"):
        grad(f, wrt=("x", "table"))(X, SPLINE)


def changed_later(y):
    values = y**2
    spline = CubicSpline(POINTS, values)
    values[0] = 5.0
    return spline(1.3) ** 2 + values[1]


def items_changed_later(y):
    items = [y[0], y[1], y[2]]
    p = np.poly1d(items)
    items[0] = 5.0
    return p(1.3) ** 2 + items[1]


def called_in_a_loop(y):
    spline = CubicSpline(POINTS, y**2, bc_type="natural")
    total = 0.0
    for k in range(3):
        total += spline(2.0 + y[k], nu=1) ** 2
    return total


def several(y):
    total = 0.0
    for f in (np.poly1d(y), CubicSpline(POINTS, y), make_interp_spline(POINTS, y, k=1)):
        total += f(2.2) ** 2
    return total + np.poly1d(y[0])(2.0)


@pytest.mark.parametrize("f", [changed_later, items_changed_later, called_in_a_loop, several])
def test_objects_that_are_only_called(f):
    check_grads(f, Y)


def made_of_constants(x):
    spline = CubicSpline(POINTS, VALUES)

    def inner(at):
        return spline(at) ** 2

    return np.sum(inner(x)) * spline(1.5) + np.sum(np.poly1d([1.0, 2.0, 3.0])(x))


def made_in_a_function(x):
    def made():
        nonlocal spline
        spline = CubicSpline(POINTS, VALUES)
        return spline(1.5)

    spline = None
    return np.sum(x**2) * made() * spline.c[0, 0]


def asked_for_more(x):
    spline = CubicSpline(POINTS, VALUES)
    return np.sum(spline(x)) * spline.c[0, 0]


def test_objects_made_inside():
    check_grads(made_of_constants, X)


@pytest.mark.parametrize("f", [made_in_a_function, asked_for_more])
def test_objects_made_inside_that_are_not_only_called(f):
    with pytest.raises(MissingRuleError, match="no derivative rule for CubicSpline"):
        grad(f)(X)


def test_second_derivatives_in_points_and_values():
    def f(y, at):
        return np.sum(np.sin(CubicSpline(POINTS, y)(at)))

    check_grads(f, Y, X, order=2)


def true(y):
    return np.sum(y**2) if np.poly1d(y[:1]) else np.sum(y)


def equal(y):
    return np.sum(y**2) if np.poly1d(y) == np.poly1d(y) else np.sum(y)


def asked(y):
    return np.sum(y**2) if hasattr(np.poly1d(y), "coeffs") else np.sum(y)


def coefficients(y):
    try:
        return np.sum(np.poly1d(y).coeffs ** 2)
    except AttributeError:
        return np.sum(y)


def class_asked(y):
    return np.sum(y**2) if isinstance(np.poly1d(y), np.poly1d) else np.sum(y)


def added(y):
    return (np.poly1d(y) + 1.0)(2.0)


def equal_queues(y):
    return np.sum(y**2) if collections.deque([1]) == collections.deque([1]) else np.sum(y)


def equal_namespaces(y):
    return np.sum(y**2) if SimpleNamespace(a=1) == SimpleNamespace(a=1) else np.sum(y)


def attributes_of_queues(y):
    return np.sum(y**2) if hasattr(collections.deque([y[0]]), "maxlen") else np.sum(y)


@pytest.mark.parametrize(
    ("f", "why"),
    [
        (true, "a test of what may be no number"),
        (equal, "a comparison of objects"),
        (asked, "an attribute that may be missing"),
        (coefficients, "attribute coeffs of"),
        (class_asked, "the class of"),
        (added, "a poly1d is used as a number or an array"),
    ],
)
def test_what_else_is_asked_of_them_is_refused(f, why):
    with pytest.raises(UnsupportedSyntaxError, match=why):
        grad(f)(Y)


@pytest.mark.parametrize(
    ("f", "why"),
    [
        (equal_namespaces, "a comparison of objects"),
    ],
)
def test_what_is_asked_of_objects_of_python_is_refused(f, why):
    with pytest.raises(UnsupportedSyntaxError, match=why):
        grad(f)(Y)

"""Minima under constraints have the derivative of the equations of Karush, Kuhn and Tucker."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize, sparse

from autodiff import grad, hessian, jvp, value_and_grad
from autodiff.errors import NonDifferentiableError
from tests.rules.solved import check


def seen(x):
    return x @ np.array([1.0, 2.0, -0.5])


TIGHT = {"tol": 1e-12}


def bowl(x, a):
    return np.sum((x - a * np.array([1.0, 2.0, 0.5])) ** 2 * np.cosh(x - 1.0)) + x[0] * x[1]


def on_a_plane(a):
    plane = {"type": "eq", "fun": lambda x: np.sum(x) - a}
    found = optimize.minimize(bowl, np.ones(3), (a,), constraints=plane, tol=1e-12)
    return found.x[0] - 0.5 * found.x[1] + found.fun if found.success else 0.0


def in_a_ball(a):
    inside = (
        {"type": "ineq", "fun": lambda x, r: r - x @ x, "args": (a,), "jac": lambda x, r: -2 * x},
        {"type": "ineq", "fun": lambda x: [x[0] + 9.0, x[1] * x[2] + a]},
    )
    return seen(optimize.minimize(bowl, 0.1 * np.ones(3), (a,), constraints=inside, **TIGHT).x)


def with_bounds(a):
    plane = [{"type": "eq", "fun": lambda x: np.sum(x) - 1.2 * a}]
    bounds = [(None, 4.0), (0.0, a / 2), (0.1, None)]
    found = optimize.minimize(
        bowl, np.ones(3), (a,), "SLSQP", bounds=bounds, constraints=plane, tol=1e-12
    )
    return seen(found.x) + found.fun


def linear(a):
    rows = np.array([[1.0, 1.0, 0.0], [0.0, a, 1.0]])
    line = optimize.LinearConstraint(rows, [-np.inf, a], [a, 9.0])
    return seen(optimize.minimize(bowl, np.ones(3), (a,), constraints=line, **TIGHT).x)


def between_curves(a):
    curve = optimize.NonlinearConstraint(lambda x: x[0] ** 2 + a * x[1] ** 2, 0.1, a**2)
    plane = optimize.LinearConstraint([[1.0, 1.0, 1.0]], 1.5, 1.5)
    found = optimize.minimize(bowl, np.ones(3), (a,), constraints=[curve, plane], **TIGHT)
    return seen(found.x)


class Firm:
    def __init__(self, size):
        self.size = size

    def short(self, x):
        return x[0] + x[1] - self.size

    def best(self, a):
        enough = {"type": "ineq", "fun": self.short}
        return optimize.minimize(bowl, np.zeros(3), (a,), constraints=enough, **TIGHT).x


def of_an_object(a):
    return seen(Firm(3.0 * a).best(a / 2))


PLANE = optimize.LinearConstraint(sparse.csr_array([[1.0, 1.0, 1.0]]), 1.0, 1.0)
DISC = {"type": "ineq", "fun": lambda x: 1.0 - x @ x}


def made_before(a):
    one = optimize.minimize(bowl, np.ones(3), (a,), constraints=(DISC,), **TIGHT)
    other = optimize.minimize(bowl, np.ones(3), (a,), constraints=PLANE, **TIGHT)
    return seen(one.x) + other.fun


def inside_alone(a):
    far = {"type": "ineq", "fun": lambda x: 50.0 * a - x @ x}
    return seen(optimize.minimize(bowl, np.ones(3), (a,), constraints=far, **TIGHT).x)


def nothing(a):
    return seen(optimize.minimize(bowl, np.ones(3), (a,), constraints=(), **TIGHT).x)


HEAVY = in_a_ball, between_curves, made_before, inside_alone
PROGRAMS = [
    *(on_a_plane, with_bounds, linear, of_an_object, nothing),
    *(pytest.param(each, marks=pytest.mark.heavy) for each in HEAVY),
]


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS)
def test_minima_under_constraints(program):
    check(program, exact=2e-5)


METHODS = {
    "trust-constr": {"gtol": 1e-11, "xtol": 1e-12, "barrier_tol": 1e-11},
    "COBYLA": {"rhobeg": 0.5, "tol": 1e-9, "maxiter": 3000},
    "COBYQA": {"final_tr_radius": 1e-9},
}


@pytest.mark.filterwarnings("ignore:delta_grad")
@pytest.mark.parametrize("method", METHODS)
def test_methods(method):
    """Some stay inside of a constraint that is active, some beyond it."""

    def found_by(a, method, options):
        curve = optimize.NonlinearConstraint(lambda x: x[0] ** 2 + a * x[1] ** 2, 0.1, a)
        more = {"method": method, "options": options, "constraints": curve}
        return seen(optimize.minimize(bowl, np.ones(3), (a,), **more).x)

    slope = grad(found_by, "a", trace=False)
    expected = slope(2.0, "SLSQP", {"ftol": 1e-13})
    np.testing.assert_allclose(slope(2.0, method, METHODS[method]), expected, rtol=2e-5)


def weights(mean, risk, spread):
    """The portfolio of Markowitz that only buys."""
    whole = {"type": "eq", "fun": lambda w: np.sum(w) - 1.0}

    def loss(w):
        return 0.5 * risk * w @ spread @ w - mean @ w

    n = len(mean)
    held = optimize.Bounds(np.zeros(n), np.ones(n))
    options = {"ftol": 1e-15}
    start = np.full(n, 1.0 / n)
    return optimize.minimize(loss, start, bounds=held, constraints=whole, options=options)


MEAN = np.array([0.08, 0.12, 0.10, 0.01])
SPREAD = 0.02 * np.eye(4) + 0.03


def test_of_arrays():
    found = weights(MEAN, 4.0, SPREAD).x
    assert found[3] < 1e-9 < np.min(found[:3])

    def known(m, r, s):
        """The same of those that are bought: older solvers are too coarse for differences."""
        inner = np.linalg.inv(r * (s + s.T)[:3, :3] / 2)
        normal = np.sum(inner, axis=1)
        shift = (normal @ m[:3] - 1.0) / np.sum(normal)
        return (inner @ (m[:3] - shift))[0]

    wrt, at = (0, 1, 2), (MEAN, 4.0, SPREAD)
    slopes = grad(lambda m, r, s: weights(m, r, s).x[0], wrt=wrt)(*at)
    for slope, expected in zip(slopes, grad(known, wrt=wrt)(*at)):
        np.testing.assert_allclose(slope, expected, rtol=1e-4, atol=1e-6)


def test_envelope():
    """The value goes as the function does at a fixed point; its Hessian as the point does."""

    def least(mean):
        return weights(mean, 4.0, SPREAD).fun

    found = weights(MEAN, 4.0, SPREAD)
    value, slope = value_and_grad(least, trace=False)(MEAN)
    assert value == found.fun
    np.testing.assert_allclose(slope, -found.x, rtol=1e-6, atol=1e-9)
    inner = np.linalg.inv(4.0 * SPREAD[:3, :3])
    normal = np.sum(inner, axis=1)
    expected = np.zeros((4, 4))
    expected[:3, :3] = np.outer(normal, normal) / np.sum(normal) - inner
    np.testing.assert_allclose(hessian(least)(MEAN), expected, rtol=1e-6, atol=1e-7)


def nearest(a, constraints, bounds=None, **others):
    given = {"bounds": bounds, "constraints": constraints, **others}
    return optimize.minimize(lambda x: np.sum((x - a) ** 2), np.zeros(2), **given)


def weak(a):
    return nearest(a, {"type": "ineq", "fun": lambda x: x[0] - 2.0}).x[0]


def weak_from_inside(a):
    side = {"type": "ineq", "fun": lambda x: x[0] - 2.0}
    return nearest(a, side, method="trust-constr").x[0]


def weak_by_a_bound(a):
    line = {"type": "eq", "fun": lambda x: np.sum(x) - 2.0 * a}
    return nearest(a, line, [(2.0, None), (None, None)]).x[0]


@pytest.mark.filterwarnings("ignore:delta_grad")
@pytest.mark.parametrize("program", [weak, weak_from_inside, weak_by_a_bound])
def test_an_active_constraint_without_a_multiplier_is_refused(program):
    for derivative in (grad(program), lambda a: jvp(program, (a,), (1.0,))):
        with pytest.raises(NonDifferentiableError, match="multiplier 0") as caught:
            derivative(2.0)
        assert "complementarity" in caught.value.why and "equality" in caught.value.cure
    for a in (1.5, 2.5):
        beside = (program(a + 1e-4) - program(a - 1e-4)) / 2e-4
        np.testing.assert_allclose(grad(program)(a), beside, atol=1e-4)


def said_twice(a):
    line = {"type": "eq", "fun": lambda x: np.sum(x) - a}
    return nearest(a, [line, {"type": "ineq", "fun": lambda x: a - np.sum(x)}]).x[0]


def left_early(a):
    line = {"type": "eq", "fun": lambda x: x[0] ** 3 + x[1] - a}
    return optimize.minimize(
        lambda x: np.sum((x - 3 * a) ** 4), np.ones(2), constraints=line, options={"maxiter": 2}
    ).x[0]


def impossible(a):
    line = {"type": "eq", "fun": lambda x: np.sum(x) - a}
    return nearest(a, [line, {"type": "eq", "fun": lambda x: np.sum(x) - a - 1.0}]).x[0]


def flat(a):
    """Where the minimum is along a line: what is found depends on where the search begins."""
    line = {"type": "eq", "fun": lambda x: np.sum(x) - a}
    return optimize.minimize(
        lambda x: (x @ np.array([0.3, 0.7, 1.1]) - 1.0) ** 2, np.zeros(3), constraints=line
    ).x[0]


def straight(a):
    line = {"type": "ineq", "fun": lambda x: a - 0.3 * x[0] - 0.7 * x[1]}
    return optimize.minimize(lambda x: -0.3 * x[0] - 0.7 * x[1], np.zeros(2), constraints=line).x[0]


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (flat, "not the only one"),
        (straight, "not the only one"),
        (said_twice, "linearly dependent"),
        (left_early, "was not found"),
        (impossible, "was not found"),
    ],
)
def test_what_has_no_derivative(program, words):
    with pytest.raises(NonDifferentiableError, match=words):
        grad(program)(2.0)


def test_a_corner_needs_no_curvature():
    def corner(a):
        sides = optimize.LinearConstraint([[1.0, 2.0], [2.0, 1.0]], -np.inf, a)
        return optimize.minimize(lambda x: -x[0] - x[1], np.zeros(2), constraints=sides).x[0]

    np.testing.assert_allclose(grad(corner)(2.0), 1 / 3)


def test_what_is_not_used_may_have_none():
    def asked(a):
        found = nearest(a, {"type": "ineq", "fun": lambda x: x[0] - 2.0})
        return a * a if found.success else found.x[0]

    assert grad(asked)(2.0) == 4.0

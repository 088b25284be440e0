"""Roots, minima and fits have the derivative of what is solved, not that of the search."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize
from scipy.optimize import brentq as found_between

from autodiff import check_grads, grad, hessian, jvp, no_grad, value_and_grad
from autodiff.errors import AutodiffError, MissingRuleError, NonDifferentiableError
from tests.rules.solved import check

A = np.array([[2.0, 1.0], [0.3, 3.0]])
TIGHT = {"xtol": 1e-14, "ftol": 1e-14, "gtol": 1e-14}
AT = np.linspace(0.1, 2.0, 7)
DATA = np.exp(-0.7 * AT) * 1.3 + 0.05 * np.sin(9 * AT)


def between(a):
    return optimize.brentq(lambda x: x**3 - a, 0, 5)


def in_turn(a):
    names = optimize.brenth, optimize.bisect, optimize.ridder, optimize.toms748
    return sum(solver(lambda x, b: x**3 - b, 0, 5, args=(a,)) for solver in names)


def renamed(a):
    solve = found_between
    return solve(lambda x, b: x**3 - b, 0, 5, (a,), 1e-13, 1e-14)


def with_everything(a):
    x, said = optimize.brentq(lambda x: x**3 - a, 0, 5, full_output=True)
    assert said.converged and said.iterations > 1
    return x + said.root


def scalar(a):
    found = optimize.root_scalar(lambda x: x**3 - a, bracket=[0, 3])
    other = optimize.root_scalar(lambda x: (x**3 - a, 3 * x**2), x0=1.0, fprime=True)
    return found.root * other.root if found.converged else 0.0


def by_newton(a):
    plain = optimize.newton(lambda x: x**3 - a, 1.0, tol=1e-12)
    return plain * optimize.newton(lambda x: x**2 - a, 1.0, fprime=lambda x: 2 * x, tol=1e-12)


def by_newton_at_once(a):
    guess, given = np.ones(3), a * np.arange(1.0, 4.0)
    return np.sum(optimize.newton(lambda x, b: x**3 - b, guess, args=(given,), tol=1e-12))


def double_root(a):
    return optimize.newton(lambda x: (x - a) ** 2, 1.0)


def fixed(a):
    return optimize.fixed_point(lambda x: np.cos(a * x), 0.5, xtol=1e-12)


def system(a):
    given = a * np.arange(1.0, 3.0)
    return np.sum(optimize.fsolve(lambda x: A @ x + x**3 - given, np.zeros(2), xtol=1e-13))


def system_in_a_list(a):
    def f(x, b):
        return [x[0] ** 3 - b, x[1] * x[0] - b]

    found = optimize.root(f, [1, 1], args=(a,), tol=1e-13)
    if not found.success:
        raise ValueError(found.message)
    return found["x"][1]


def of_a_gradient(a):
    x = optimize.fsolve(grad(lambda x: np.sum((x - a) ** 2 + x**4)), np.ones(2), xtol=1e-13)
    return x[0]


def warm(a):
    x, total = np.ones(2), 0.0
    for k in range(3):
        x = optimize.fsolve(lambda y: y**3 + y - a * (k + 1) * np.array([1.0, 2.0]), x, xtol=1e-13)
        total = total + np.sum(x)
    return total


def limits_that_vary(a):
    return optimize.brentq(lambda x: x**3 - 2 * a, a / 4, a * 2)


ROOTS = [
    *(between, in_turn, renamed, with_everything, scalar, by_newton, by_newton_at_once),
    *(double_root, fixed, system, system_in_a_list, of_a_gradient, warm, limits_that_vary),
]


@pytest.mark.parametrize("program", ROOTS)
def test_roots(program):
    check(program)


def smallest(a):
    found = optimize.minimize_scalar(lambda x: (x - a) ** 2 * np.cosh(x) + x, tol=1e-12)
    return found.x * found.nfev / found.nfev


def least_value(a):
    return optimize.minimize_scalar(lambda x: (x - a) ** 2 * np.cosh(x) + x).fun


def smallest_inside(a):
    def f(x):
        return (x - a) ** 2 * np.cosh(x) + x

    options = {"xatol": 1e-11}
    return optimize.minimize_scalar(f, bounds=(0.0, 4.0), method="bounded", options=options).x


def smallest_at_the_end(a):
    def f(x):
        return (x - a) ** 2 * np.cosh(x)

    found = optimize.minimize_scalar(f, bounds=(0.0, a / 2), options={"xatol": 1e-11})
    return found.x + found.fun


def old_names(a):
    def f(x):
        return (x - a) ** 2 * np.cosh(x) + x

    x, value, *_ = optimize.brent(f, tol=1e-12, full_output=True)
    return x * value + optimize.golden(f, tol=1e-12) + optimize.fminbound(f, 0, 4, xtol=1e-11)


def bowl(x, a):
    return np.sum((x - a) ** 2 * np.cosh(x) + x)


def several(a):
    found = optimize.minimize(bowl, np.ones(2), args=(a,), tol=1e-10)
    return found.x[0] + found.fun


def with_its_slope(a):
    def f(x):
        return np.sum((x - a) ** 4 + x**2), 4 * (x - a) ** 3 + 2 * x

    return optimize.minimize(f, np.ones(2), jac=True, tol=1e-12).x[0]


def by_simplex(a):
    options = {"xatol": 1e-11, "fatol": 1e-14}
    return optimize.minimize(bowl, np.ones(2), (a,), "Nelder-Mead", options=options).x[1]


def at_bounds(a):
    def f(x):
        return np.sum((x - a * np.array([1.0, 3.0])) ** 2) + x[0] * x[1]

    one = optimize.minimize(f, np.ones(2), bounds=[(None, 4.0), (0.0, a)], tol=1e-12)
    inside = optimize.Bounds([-1.0, 0.0], [4.0, 3.0])
    other = optimize.minimize(f, np.ones(2), bounds=inside, tol=1e-12)
    return one.x @ np.array([1.0, 2.0]) + one.fun + other.x @ np.array([0.5, 0.3])


def by_other_names(a):
    x = optimize.fmin(bowl, np.ones(2), (a,), xtol=1e-11, ftol=1e-14, disp=0)
    return x[0] + optimize.fmin_bfgs(bowl, np.ones(2), args=(a,), gtol=1e-9, disp=0)[1]


def squares(x, a):
    return np.array([x[0] ** 2 - a, x[1] * x[0] - 1.0, x[1] - 2.0])


def fit(a):
    found = optimize.least_squares(squares, np.ones(2), args=(a,), **TIGHT)
    x, _ = optimize.leastsq(squares, np.ones(2), (a,), xtol=1e-14, ftol=1e-14)
    return np.sum(found.x) + found.cost + found.fun[0] + x[1]


def fit_at_a_bound(a):
    bounds = 0.0, [3.0, 1.2]
    found = optimize.least_squares(squares, np.ones(2), bounds=bounds, args=(a,), **TIGHT)
    return found.x @ np.array([1.0, 3.0])


def robust_fit(a):
    others = {"loss": "soft_l1", "f_scale": 0.3, **TIGHT}
    return np.sum(optimize.least_squares(squares, np.ones(2), kwargs={"a": a}, **others).x)


def curve(x, p, q):
    return p * np.exp(-q * x)


def of_data(a):
    popt, _ = optimize.curve_fit(curve, AT, DATA * a**AT, p0=[1.0, 0.5], xtol=1e-14, ftol=1e-14)
    return popt @ np.array([1.0, 2.0])


def of_weights(a):
    popt, pcov = optimize.curve_fit(
        lambda x, p, q: p * np.exp(-q * x / a), AT, DATA, sigma=1.0 + a * AT, xtol=1e-14, ftol=1e-14
    )
    return popt[0] + popt[1] ** 2


MINIMA = [
    *(smallest, least_value, smallest_inside, smallest_at_the_end, old_names, several),
    *(with_its_slope, by_simplex, at_bounds, by_other_names, fit, fit_at_a_bound, robust_fit),
    *(of_data, of_weights),
]


@pytest.mark.parametrize("program", MINIMA)
def test_minima(program):
    check(program, exact=2e-5)


def test_a_minimum_is_no_search():
    """It was taken for the program that finds it, whose derivative is another."""
    g = grad(lambda a: optimize.minimize_scalar(lambda x: (x - a) ** 2 * np.cosh(x)).x)
    assert abs(g(2.0) - 1.0) < 1e-6


def test_of_an_array():
    x = np.array([0.3, 0.5, 1.0])
    check_grads(lambda x: optimize.brentq(lambda t: np.sum(np.exp(-t * x)) - 1.0, 0, 50), x)
    found = hessian(lambda x: optimize.brentq(lambda t: np.sum(np.exp(-t * x)) - 1.0, 0, 50))(x)
    np.testing.assert_allclose(found, found.T, rtol=1e-8)


def test_options_are_passed_on():
    def rough(a):
        return optimize.bisect(lambda x: x**3 - a, 0, 5, xtol=0.5, maxiter=9)

    value, slope = value_and_grad(rough)(2.0)
    assert value == rough(2.0) and abs(value - 2 ** (1 / 3)) > 0.01
    np.testing.assert_allclose(slope, 1 / (3 * value**2))


def test_errors_are_those_of_the_solver():
    with pytest.raises(ValueError, match="different signs"):
        grad(lambda a: optimize.brentq(lambda x: x**2 + a, 0, 5))(2.0)


def test_a_root_of_higher_order_has_no_such_derivative():
    with pytest.raises((ZeroDivisionError, AutodiffError)):
        grad(lambda a: optimize.brentq(lambda x: (x - 1.0) ** 3 * a, 0, 2))(2.0)


@pytest.mark.parametrize(
    "search",
    [
        lambda a: optimize.fmin_slsqp(lambda x: np.sum((x - a) ** 2), np.ones(2), iprint=0)[0],
        lambda a: optimize.broyden1(lambda x: x**3 - a, np.ones(2))[0],
        lambda a: optimize.brute(lambda x: (x[0] - a) ** 2, ((0, 3),))[0],
    ],
)
def test_searches_without_a_rule_are_refused(search):
    with pytest.raises(MissingRuleError, match="scipy.optimize") as caught:
        grad(search)(2.0)
    assert "implicit" in caught.value.cure


def test_constraints_are_refused():
    def on_a_line(a):
        line = optimize.LinearConstraint([[1.0, -1.0]], 0.0, 0.0)
        bounds = [(0.0, 3.0), (0.0, 3.0)]
        return optimize.differential_evolution(
            lambda x: np.sum((x - a) ** 2), bounds, constraints=line
        ).x[0]

    with pytest.raises(AutodiffError, match="under constraints") as caught:
        grad(on_a_line)(2.0)
    assert "minimize" in caught.value.cure


def test_what_has_no_known_derivative_is_not_taken_for_constant():
    def covariance(a):
        return optimize.curve_fit(curve, AT, DATA * a)[1][0, 0]

    def slope(a):
        found = optimize.minimize(bowl, np.ones(2), (a,))
        return found.x[0] * float(found.jac[0])

    for f in (covariance, slope):
        with pytest.raises(NonDifferentiableError, match="is not known"):
            grad(f)(2.0)

    def excepted(a):
        with no_grad():
            scale = optimize.curve_fit(curve, AT, DATA)[1][0, 0]
        return a * scale

    np.testing.assert_allclose(grad(excepted)(2.0), excepted(1.0))


def test_what_did_not_converge_has_no_derivative():
    with pytest.raises(NonDifferentiableError, match="did not converge"):
        grad(lambda a: optimize.root(lambda x: x**2 + a, np.ones(2)).x[0])(2.0)

    def looked_at(a):
        found = optimize.root(lambda x: x**2 + a, np.ones(2))
        return found.x[0] if found.success else a

    assert grad(looked_at)(2.0) == 1.0


def left_early(a):
    cosh = lambda x: np.sum((x - a) ** 2 * np.cosh(x - 1.0))  # noqa: E731
    return optimize.minimize(cosh, np.array([5.0, -3.0]), options={"maxiter": 1}).x[0]


def left_early_by_squares(a):
    return optimize.least_squares(lambda x: np.exp(x * a) - 2.0, [3.0], max_nfev=1).x[0]


@pytest.mark.parametrize("program", [left_early, left_early_by_squares])
def test_what_is_no_minimum_has_no_derivative(program):
    with pytest.raises(NonDifferentiableError, match="did not converge"):
        grad(program)(2.0)
    with pytest.raises(NonDifferentiableError, match="did not converge"):
        jvp(program, (2.0,), (1.0,))


def test_a_minimum_to_more_digits_than_there_are():
    """SciPy may say that it has failed; the slope is as good as zero there."""
    draw = np.random.default_rng(0)
    rows, wanted = draw.normal(size=(20, 4)), draw.normal(size=20)

    def steep(a):
        return optimize.minimize(
            lambda x: 1e4 * np.sum((rows @ x - a * wanted) ** 2), np.zeros(4)
        ).x[1]

    expected = np.linalg.lstsq(rows, wanted, rcond=None)[0][1]
    np.testing.assert_allclose(grad(steep)(2.0), expected, rtol=1e-6)


@pytest.mark.parametrize("solver", ["differential_evolution", "dual_annealing", "shgo", "direct"])
def test_the_least_of_several_minima(solver):
    options = {} if solver in ("direct", "shgo") else {"seed": 1, "maxiter": 40}

    def found(a):
        bounds = [(0.0, 3.0), (-1.0, 1.0)]
        return getattr(optimize, solver)(lambda x: np.sum((x - a) ** 2), bounds, **options)

    def least(a):
        made = found(a)
        return made.x @ np.array([1.0, 2.0]) + made.fun

    value, slope = value_and_grad(least)(1.4)
    assert value == least(1.4)
    at_the_bound = found(1.4).x[1]  # it stays there; the other one goes with `a`
    np.testing.assert_allclose(slope, 1.0 + 2 * (1.4 - at_the_bound), rtol=1e-9)

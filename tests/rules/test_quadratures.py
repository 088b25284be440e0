"""Integrals and differential equations: the derivative of the integrand, Leibniz at the limits,
the equation of variations.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, optimize, stats

from autodiff import check_grads, grad, jvp, value_and_grad
from autodiff.errors import AutodiffError, NonDifferentiableError
from tests.rules.solved import check, differences

TIGHT = {"rtol": 1e-11, "atol": 1e-12}


def bell(a):
    return integrate.quad(lambda t: np.exp(-a * t * t), 0, 1)[0]


def by_args(a):
    return integrate.quad(lambda t, b: np.exp(-b * t * t), 0, a, args=(a,))[0]


def everywhere(a):
    return integrate.quad(lambda t: np.exp(-a * t * t), -np.inf, np.inf)[0]


def tail(a):
    return integrate.quad(lambda t: np.exp(-t * t) * a, a / 2, np.inf, epsabs=1e-12)[0]


def to_an_infinite_limit_of_its_own(a):
    return integrate.quad(lambda t: t * t * np.exp(-t * t), a, a + np.inf)[0]


def steep_at_the_end(a):
    return integrate.quad(lambda t: a**2 / np.sqrt(t), 0, a)[0]


def of_an_array(a):
    waves = a * np.arange(1.0, 4.0)
    value, error = integrate.quad(lambda t: np.sum(np.cos(waves * t)), 0, 1, points=[0.3], limit=99)
    return value if error < 1 else 0.0


class Density:
    def __init__(self, width):
        self.width = width

    def at(self, t):
        return np.exp(-t * t / self.width)

    def mass(self, end):
        return integrate.quad(self.at, -end, end)[0]


def of_an_object(a):
    return Density(a).mass(1.0)


def vectors(a):
    waves = a * np.arange(1.0, 4.0)
    one = integrate.quad_vec(lambda t: np.cos(waves * t), 0, a)[0]
    return np.sum(one) + integrate.quad_vec(lambda t: np.cos(a * t), 0, a, epsrel=1e-10)[0]


def by_nodes(a):
    return integrate.fixed_quad(lambda t: np.cos(a * t), 0, a, n=6)[0]


def over_a_triangle(a):
    return integrate.dblquad(lambda y, x: a * x * y * np.exp(-a * y), 0, 2, 0, lambda x: a * x)[0]


def over_a_box(a):
    return integrate.nquad(
        lambda y, x, b: b * x * y * np.exp(-a * y), [(0, 1), (0, a)], args=(a,), opts={"limit": 60}
    )[0]


def over_three(a):
    def f(z, y, x):
        return a * x * y * z

    return integrate.tplquad(f, 0, 1, 0, 1, lambda x, y: x, lambda x, y: a)[0]


def within_a_root(a):
    def excess(x):
        return integrate.quad(lambda t: np.exp(-t * t / a), 0, x)[0] - 0.5

    return optimize.brentq(excess, 0, 5)


def of_a_root(a):
    return integrate.quad(lambda t: optimize.brentq(lambda x: x**3 - t * a, 0, 5), 0.1, 1)[0]


INTEGRALS = [
    *(bell, by_args, everywhere, tail, steep_at_the_end, of_an_array, of_an_object, vectors),
    to_an_infinite_limit_of_its_own,
    *(over_a_triangle, over_a_box, over_three, within_a_root, of_a_root),
]


@pytest.mark.followed
def test_a_sum_over_nodes():
    """It has no rule, but a source, which some versions of SciPy write in ways not compiled."""
    assert np.isclose(grad(by_nodes)(2.0), differences(by_nodes, 2.0, 4e-3), rtol=1e-6)
    assert np.isclose(jvp(by_nodes, (2.0,), (1.0,))[1], grad(by_nodes)(2.0), rtol=1e-12)


@pytest.mark.parametrize("program", INTEGRALS)
def test_integrals(program):
    check(program)


@pytest.mark.followed
def test_limits_at_infinity_do_not_move():
    def mean_square(loc, scale):
        return stats.norm.expect(lambda v: v * v, loc=loc, scale=scale)

    assert np.allclose(grad(mean_square, wrt=("loc", "scale"))(0.5, 2.0), (1.0, 4.0))


def test_of_arrays():
    x = np.array([0.3, 0.5, 1.0])
    check_grads(lambda x: integrate.quad(lambda t: np.sum(np.exp(-t * x)), 0, x[0])[0], x)


def test_options_are_passed_on_to_the_integral_of_the_slope():
    def f(a):
        return integrate.quad(lambda t: np.abs(t - 0.3) * a, 0, 1, limit=1)[0]

    with pytest.warns(integrate.IntegrationWarning):
        value, slope = value_and_grad(f)(2.0)
    with pytest.warns(integrate.IntegrationWarning):
        assert value == f(2.0)
    np.testing.assert_allclose(slope, value / 2)
    assert abs(slope - 0.29) > 1e-5


@pytest.mark.parametrize(
    "f",
    [
        lambda a: integrate.quad(lambda t: t, 0, 1, weight="cos", wvar=a)[0],
        lambda a: integrate.nquad(lambda y, x: a * x * y, [(0, 1), (0, 1)], full_output=True)[0],
        lambda a: integrate.tanhsinh(lambda t: t * a, 0, 1).integral,
    ],
)
def test_what_is_not_known_is_refused(f):
    with pytest.raises(AutodiffError):
        grad(f)(0.5)


# Differential equations ---------------------------------------------------------------------------


def decay(a):
    return integrate.odeint(lambda y, t: -a * y, [1.0], [0, 0.5, 1], **TIGHT)[-1, 0]


def reactions(a):
    rates = a * np.arange(1.0, 3.0)

    def rhs(y, t, c):
        first = -rates[0] * y[0] + c * y[1] ** 2
        return [first, rates[0] * y[0] - rates[1] * y[1] * np.exp(-t)]

    path = integrate.odeint(rhs, [1.0, a], np.linspace(0, 1, 4), args=(a,), **TIGHT)
    return np.sum(path[1:])


def until_then(a):
    times = np.array([0, 0.5, a])
    return np.sum(integrate.odeint(lambda t, y: -a * y * t, a, times, tfirst=True, **TIGHT))


def stiff(a):
    path, said = integrate.odeint(
        lambda y, t: -1000 * (y - np.cos(a * t)), [0.5], [0, 0.5, 1], full_output=1, mxstep=5000
    )
    return path[-1, 0]


@pytest.mark.parametrize(
    ("program", "exact"), [(decay, 1e-7), (reactions, 1e-7), (until_then, 1e-7), (stiff, 1e-4)]
)
def test_paths(program, exact):
    check(program, exact=exact)


def test_a_solution_that_does_not_arrive_is_refused():
    def explodes(a):
        return integrate.odeint(lambda y, t: a * y**2, [1.0], [0, 0.4999], mxstep=30)[-1, 0]

    with pytest.warns(integrate.ODEintWarning), pytest.raises(NonDifferentiableError, match="last"):
        grad(explodes)(2.0)


def test_tolerances_of_each_unknown_are_refused():
    def f(a):
        return integrate.odeint(lambda y, t: -a * y, [1.0, 2.0], [0, 1], atol=[1e-8, 1e-9])[-1, 0]

    with pytest.raises(AutodiffError, match="tolerance for each unknown"):
        grad(f)(2.0)


def oscillation(t, y, a, c):
    return np.array([-a * y[0] * c, a * y[0] - y[1] * np.cos(t)])


def implicitly(a):
    limits = {"rtol": 1e-8, "atol": 1e-9}
    found = integrate.solve_ivp(oscillation, (0, a), [1.0, a], "LSODA", args=(a, 1.3), **limits)
    asked = integrate.solve_ivp(
        lambda t, y: oscillation(t, y, a, 1.0), (0, 1), [1.0, a], "Radau", t_eval=[0.4, 1], **limits
    )
    return np.sum(found.y[:, -1]) + np.sum(asked.y) if found.success else 0.0


def explicitly(a):
    limits = {"rtol": 1e-8, "atol": 1e-9}
    return integrate.solve_ivp(oscillation, (0, 1), [1.0, a], args=(a, 1.3), **limits).y[0, -1]


def test_initial_value_problems():
    value, slope = value_and_grad(implicitly, trace=False)(2.0)
    assert value == implicitly(2.0)
    np.testing.assert_allclose(slope, differences(implicitly, 2.0, 4e-3), rtol=1e-4)
    np.testing.assert_allclose(jvp(implicitly, (2.0,), (1.0,))[1], slope, rtol=1e-9)
    with pytest.raises(AutodiffError, match="explicit method"):
        grad(explicitly, trace=False)(2.0)

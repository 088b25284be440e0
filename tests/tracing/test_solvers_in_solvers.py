"""A solver that another one's function calls: no run follows each explicit step there, so the path
has the derivative of the equation of variations, as that of an implicit method.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, optimize

from autodiff import AutodiffError, check_grads, grad

P = np.array([0.5, 1.5])
TIGHT = {"rtol": 1e-10, "atol": 1e-12}


def shooting(p):
    def missed(slope):
        path = integrate.solve_ivp(lambda t, y: [y[1], -p[0] * y[0]], (0, 1), [0, slope], **TIGHT)
        return path.y[0, -1] - p[1]

    return optimize.brentq(missed, -5, 5)


def shooting_by_high_order(p):
    def missed(slope):
        options = {"method": "DOP853", "t_eval": [0.5, 1.0], **TIGHT}
        path = integrate.solve_ivp(lambda t, y: [y[1], -p[0] * y[0]], (0, 1), [0, slope], **options)
        return path.y[0, -1] - p[1]

    return optimize.brentq(missed, -5, 5)


def fitted(p):
    def away(q):
        path = integrate.solve_ivp(
            lambda t, y: p[0] - q[0] * y, (0, 1), [1.0], t_eval=[0.5, 1], **TIGHT
        )
        return np.sum((path.y - p[1]) ** 2)

    return optimize.minimize(away, [1.0], tol=1e-12).x[0]


def mean_of_paths(p):
    def end(s):
        return integrate.solve_ivp(lambda t, y: -p[0] * y, (0, s), [1.0], **TIGHT).y[0, -1]

    return integrate.quad(end, 0, 1)[0] * p[1]


def root_of_a_root(p):
    def inner(s):
        return optimize.brentq(lambda y: y**3 + p[0] * y - s, 0, 5)

    return optimize.brentq(lambda s: inner(s) - p[1], 0, 5)


@pytest.mark.parametrize(
    "program", [shooting, shooting_by_high_order, fitted, mean_of_paths, root_of_a_root]
)
def test_nested(program):
    check_grads(program, P, rtol=1e-6)


def test_events_in_a_solver_are_refused():
    def missed(slope, p):
        path = integrate.solve_ivp(
            lambda t, y: [y[1], -p[0]], (0, 9), [0, slope], events=lambda t, y: y[1]
        )
        return path.y[0, -1] - p[1]

    with pytest.raises(AutodiffError, match="with events"):
        grad(lambda p: optimize.brentq(missed, 0.1, 5, args=(p,)))(P)

"""Implicit functions, against differences and against the derivative through the iterations."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from autodiff import TemplateError, check_grads, grad, hessian, hvp, implicit, jacobian, jvp
from tests.golden.cases.implicit import K, anomaly_of, compliance, displacement, orbit

LOAD = np.array([1.0, -0.5, 2.0])


def kepler(mean, eccentricity, anomaly):
    return anomaly - eccentricity * np.sin(anomaly) - mean


def by_iteration(mean, eccentricity):
    anomaly = mean
    for _ in range(30):
        slope = 1 - eccentricity * np.cos(anomaly)
        anomaly = anomaly - kepler(mean, eccentricity, anomaly) / slope
    return np.cos(anomaly) - eccentricity


@implicit(lambda mean, anomaly: kepler(mean, 0.3, anomaly))
def bisected(mean, low=0.0, high=4.0):
    while high - low > 1e-15 * high:
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        if kepler(mean, 0.3, middle) > 0:
            high = middle
        else:
            low = middle
    return high


def orbits(mean, speed):
    total = 0.0
    for k in range(4):
        if k != 2:
            anomaly = bisected(mean * 0.3 * k + 0.1, high=4.0 + speed)
            total += speed * np.sin(anomaly)
    return total


class Opaque:
    """A solver in C, as far as anybody can see."""

    def __init__(self, function: Any) -> None:
        self._call = staticmethod(function)

    def __call__(self, *arguments: Any) -> Any:
        return eval("f(*a)", {"f": self._call, "a": arguments})


def square_root(m, y):
    return y @ y - m


@implicit(square_root)
def root_of(m):
    values, vectors = np.linalg.eig(m)
    return np.real(vectors @ np.diag(np.sqrt(values)) @ np.linalg.inv(vectors))


def trace_of_root(m):
    return np.sum(root_of(m @ m + 2.0 * np.eye(2)) * m)


opaque_root = implicit(square_root)(Opaque(root_of))


def trace_of_opaque_root(m):
    return np.sum(opaque_root(m @ m + 2.0 * np.eye(2)) * m)


@dataclasses.dataclass
class Problem:
    weights: Any
    shift: float


@implicit(lambda problem, data, y: y - np.tanh(problem.weights * y + data["x"]) - problem.shift)
def fixed_point(problem, data):
    y = np.zeros_like(data["x"])
    for _ in range(80):
        y = np.tanh(problem.weights * y + data["x"]) + problem.shift
    return y


def settled(weights, shift, x):
    return np.sum(fixed_point(Problem(weights * 0.1, shift), {"x": x * x, "n": 3}) ** 2)


M = np.array([[1.0, 0.4], [0.2, 1.5]])


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (orbit, (1.1, 0.4)),
        (orbits, (1.0, 0.7)),
        (compliance, (K, LOAD)),
        (trace_of_root, (M,)),
        (trace_of_opaque_root, (M,)),
        (settled, (LOAD, 0.2, LOAD)),
    ],
)
def test_both_modes(function, args):
    check_grads(function, *args)


def test_higher_orders():
    both = hessian(orbit, wrt=(0, 1))(1.1, 0.4)
    assert np.allclose(both, hessian(by_iteration, wrt=(0, 1))(1.1, 0.4))
    second, h = grad(grad(orbit)), 1e-5
    third = (second(1.1 + h, 0.4) - second(1.1 - h, 0.4)) / (2 * h)
    assert np.isclose(grad(second)(1.1, 0.4), third)
    by_forward = hessian(compliance, wrt=1)(K, LOAD)
    assert np.allclose(by_forward, by_forward.T)
    assert np.allclose(by_forward, jacobian(grad(compliance, wrt=1), wrt=1)(K, LOAD))


def crossing(x, y):
    return np.array([y[0] ** 2 + x[2] * y[1] - x[0], y[1] ** 3 + y[0] - x[1]])


@implicit(crossing)
def crossed(x):
    y = np.ones(2)
    for _ in range(30):
        slope = np.array([[2 * y[0], x[2]], [1.0, 3 * y[1] ** 2]])
        y = y - np.linalg.solve(slope, crossing(x, y))
    return y


def scaled_crossing(x):
    y = crossed(x)
    return np.sum(y**2) * x[0] + y[0] * x[2]


def test_gradients_of_tangents_and_third_orders():
    """Reverse over forward, of several unknowns, and three modes on top of each other."""
    x, v = np.array([1.7, 1.4, 0.6]), np.array([0.3, -0.8, 0.5])

    def along(x):
        return jvp(scaled_crossing, (x,), (v,))[1]

    np.testing.assert_allclose(grad(along)(x), hessian(scaled_crossing)(x) @ v, rtol=1e-12)
    check_grads(along, x)

    def twice(x):
        return hvp(scaled_crossing)(x, v) @ v

    third = (twice(x + 1e-5 * v) - twice(x - 1e-5 * v)) / 2e-5
    np.testing.assert_allclose(grad(twice)(x) @ v, third, rtol=1e-7)


def test_a_guess_has_no_influence():
    assert grad(lambda guess: bisected(1.0, high=guess))(4.0) == 0.0


def test_it_stays_what_it_was():
    assert anomaly_of.__name__ == "anomaly_of"
    assert np.allclose(K @ displacement(K, LOAD) + displacement(K, LOAD) ** 3, LOAD)


def test_what_is_no_equation_is_refused():
    with pytest.raises(TemplateError, match="takes `b`, which the solver does not"):
        implicit(lambda a, b, y: y - a)(lambda a: a)
    with pytest.raises(TemplateError, match="no parameter but the solution"):
        implicit(lambda y: y)(lambda a: a)
    short = implicit(lambda a, y: np.sum(y) - np.sum(a))(lambda a: a.copy())
    with pytest.raises(ValueError, match="as many real equations as unknowns"):
        grad(lambda a: np.sum(short(a)))(LOAD)
    pair = implicit(lambda a, y: y[0] - a)(lambda a: (a, a))
    with pytest.raises(Exception, match="returned a tuple"):
        grad(lambda a: pair(a)[0])(1.0)
    singular = implicit(lambda a, y: y**2 - a)(lambda a: np.zeros(2))
    with pytest.raises(np.linalg.LinAlgError):
        grad(lambda a: np.sum(singular(a)))(np.zeros(2))
